//! Games in a SQLite file: one task writes, with group commit, and several connections read.

#[path = "tables/copy_rows.rs"]
mod copy_rows;
mod file;
#[path = "tables/games.rs"]
mod games;
mod group;
#[path = "tables/rows.rs"]
mod rows;
#[path = "tables/statements.rs"]
mod statements;

/// Types of the SQL code that is compiled for both databases.
mod dialect {
    pub(super) use super::SqliteGames as Games;
    pub(super) use sqlx::SqliteConnection as Connection;
    pub(super) use sqlx::sqlite::{SqlitePool as Pool, SqliteRow as Row};
}

use std::fs::File;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::sqlite::file::FileIdentity;
use crate::tables::batching;
use crate::tables::change::{Change, Done};
use crate::tables::writer::{Transactions, Writer};
use crate::{Appended, News, StoreError};

/// Number of reading connections.
const READERS: u32 = 4;

/// Games in a SQLite file.
#[derive(Debug)]
pub struct SqliteGames {
    name: String,
    readers: SqlitePool,
    writer: Writer,
    identity: FileIdentity,
    lock: Mutex<Option<File>>,
}

impl SqliteGames {
    /// Opens or creates the file and migrates it to the newest version. No other process can open
    /// it until it is closed.
    ///
    /// # Errors
    /// When the file cannot be opened, belongs to another program or is in use.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = file::lock(path)?;
        let identity = FileIdentity::new(path, &lock)?;
        let connection = file::open(path).await?;
        let name = path.display().to_string();
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(file::options(path))
            .await
            .map_err(|error| StoreError::database(&name, &error))?;
        Ok(Self {
            name,
            readers,
            writer: Writer::start(FileTransactions {
                path: path.into(),
                identity: identity.clone(),
                connection: Some(connection),
            }),
            identity,
            lock: Mutex::new(Some(lock)),
        })
    }

    const SHARED: bool = false;

    /// Returns an error if the file was removed or replaced.
    fn verify(&self) -> Result<(), StoreError> {
        self.identity.check()
    }

    async fn tell_others(&self, _words: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// The file has one server, which holds every lease.
    async fn take_lease(&self, _name: &str, _seconds: u32) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn give_back_lease(&self, _name: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn hear_others(&self) -> Option<tokio::sync::mpsc::Receiver<News>> {
        None
    }

    fn let_go(&self) {
        self.lock.lock().take();
    }
}

/// Transactions on one file.
struct FileTransactions {
    path: PathBuf,
    identity: FileIdentity,
    connection: Option<SqliteConnection>,
}

impl FileTransactions {
    async fn write(&mut self, group: &[Change]) -> Result<Vec<Done>, sqlx::Error> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => {
                self.identity.forget_log();
                let connection = file::options(&self.path).connect().await?;
                self.connection.insert(connection)
            }
        };
        let mut done: Vec<Option<Done>> = vec![None; group.len()];
        let events = batching::events(group);
        let new_games = batching::new_games(group);
        let all_added = {
            let events: Vec<_> = events.iter().map(|(_, event)| *event).collect();
            let new_games: Vec<_> = new_games.iter().map(|(_, game)| *game).collect();
            group::begin(connection, &events, &new_games).await?
        };
        if all_added {
            for (index, _) in events {
                done[index] = Some(Done::Appended(Appended::Done));
            }
            for (index, _) in new_games {
                done[index] = Some(Done::Kept);
            }
        } else {
            // Each change is retried by itself to find the failing one.
            let again = "ROLLBACK; BEGIN IMMEDIATE";
            sqlx::query(again).execute(&mut *connection).await?;
        }
        for (done, change) in done.iter_mut().zip(group) {
            if done.is_none() {
                *done = Some(statements::perform(connection, change).await?);
            }
        }
        sqlx::query("COMMIT").execute(connection).await?;
        Ok(done.into_iter().flatten().collect())
    }
}

impl FileTransactions {
    /// Copies the write-ahead log into the file. A log that was removed is still open here, and holds
    /// acknowledged moves.
    async fn save_log(&mut self) {
        if let Some(connection) = &mut self.connection {
            let checkpoint = "PRAGMA wal_checkpoint(FULL)";
            if let Err(error) = sqlx::query(checkpoint).execute(connection).await {
                tracing::error!(%error, "the write-ahead log cannot be saved");
            }
        }
    }
}

impl Transactions for FileTransactions {
    async fn commit(&mut self, group: &[Change]) -> Result<Vec<Done>, StoreError> {
        // Before, because a new connection would open the new file; afterwards, because only
        // writes that will be found again may be acknowledged.
        if let Err(error) = self.identity.check() {
            self.save_log().await;
            return Err(error);
        }
        let written = self.write(group).await.map_err(|error| {
            // After a full disk SQLite has rolled back by itself while the connection believes
            // otherwise: the next group gets a new connection.
            self.connection = None;
            StoreError::database(&self.path.display().to_string(), &error)
        })?;
        self.identity.remember_log();
        self.identity.check()?;
        Ok(written)
    }

    async fn end(self) {
        if let Some(connection) = self.connection {
            let _ = connection.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoredStudy;

    /// Stores an analysis of this many bytes.
    async fn keep(writer: &Writer, bytes: usize) -> Result<(), StoreError> {
        let study = StoredStudy {
            subject: "a study".into(),
            body: "x".repeat(bytes),
            at: 0,
        };
        writer.write(Change::KeepStudy(study)).await
    }

    /// Starts a writer whose first connection has a pragma set, and locks its file.
    async fn writer_with(
        folder: &tempfile::TempDir,
        pragma: &'static str,
    ) -> (Writer, std::fs::File) {
        let path = folder.path().join("games.sqlite");
        let lock = file::lock(&path).unwrap();
        let mut connection = file::open(&path).await.unwrap();
        sqlx::raw_sql(pragma)
            .execute(&mut connection)
            .await
            .unwrap();
        let writer = Writer::start(FileTransactions {
            identity: FileIdentity::new(&path, &lock).unwrap(),
            path,
            connection: Some(connection),
        });
        (writer, lock)
    }

    #[tokio::test]
    async fn after_a_full_disk_the_next_write_succeeds() {
        let folder = tempfile::tempdir().unwrap();
        // No further page may be allocated: to SQLite that is a full disk.
        let (writer, _lock) = writer_with(&folder, "PRAGMA max_page_count = 1").await;
        let error = keep(&writer, 1 << 20).await.unwrap_err();
        assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
        let message = writer.failure().unwrap().to_string();
        assert!(
            message.ends_with("games.sqlite cannot be written: database or disk is full"),
            "{message}"
        );
        keep(&writer, 1 << 20).await.unwrap();
        assert_eq!(writer.failure(), None);
        writer.close().await;
    }

    #[tokio::test]
    async fn a_removed_log_is_noticed_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (writer, lock) = writer_with(&folder, "PRAGMA temp_store = MEMORY").await;
        keep(&writer, 100).await.unwrap();
        let log = folder.path().join("games.sqlite-wal");
        std::fs::remove_file(&log).unwrap();
        let error = keep(&writer, 1).await.unwrap_err();
        assert!(error.to_string().contains("-wal"), "{error}");
        // As after a crash: the process has gone, the file stays.
        let copy = folder.path().join("after.sqlite");
        std::fs::copy(folder.path().join("games.sqlite"), &copy).unwrap();
        let mut connection = file::options(&copy).connect().await.unwrap();
        let query = "SELECT length(body) FROM studies WHERE subject = 'a study'";
        let length: i64 = sqlx::query_scalar(query)
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(length, 100);
        writer.close().await;
        drop(lock);
    }

    #[tokio::test]
    async fn a_read_only_database_is_unwritable() {
        let folder = tempfile::tempdir().unwrap();
        let (writer, _lock) = writer_with(&folder, "PRAGMA query_only = 1").await;
        let error = keep(&writer, 1).await.unwrap_err();
        assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
        writer.close().await;
    }
}
