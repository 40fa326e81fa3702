//! The database file: its lock, identity, kind, version and migrations.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use papan_os::FileId;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::StoreError;
use crate::schema_version::SchemaVersion;

/// `papg` in ASCII: SQLite's application id of papan's files.
const KIND: i64 = 0x7061_7067;

/// Each migration leads from its index to the next version.
const MIGRATIONS: [&str; 4] = [
    include_str!("../../migrations/games_1.sql"),
    include_str!("../../migrations/games_2.sql"),
    include_str!("../../migrations/games_3.sql"),
    include_str!("../../migrations/games_4.sql"),
];

/// Pages in the write-ahead log before a checkpoint: 32 MiB. Writers wait during a checkpoint, and
/// a page changed many times is written once.
const CHECKPOINT_PAGES: &str = "8000";

/// Returns the options of every connection to the file.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        // In WAL mode anything less may lose the last writes in a power failure.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        // Statement journals stay in memory.
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging()
}

/// Locks the database file for this process until the returned value is dropped. Two servers would
/// each cache games that the other changes.
///
/// The lock is on the file itself, not on one beside it, so that a second path to the same file (a
/// link) or a removed lock file makes no difference. It is independent of SQLite's own locks.
///
/// The file is readable by its owner only: it holds the key that signs cookies, names of players and
/// digests of secrets. An existing file, and a write-ahead log that a crash left behind, lose the
/// access rights of others.
pub(super) fn lock(path: &Path) -> Result<File, StoreError> {
    let failed = |error: std::io::Error| StoreError::Database {
        path: path.display().to_string(),
        what: error.to_string(),
    };
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    papan_os::restrict_to_owner(&mut options);
    let file = options.open(path).map_err(failed)?;
    match papan_os::try_lock(&file) {
        Ok(()) => {
            make_private(path, &file);
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
            path: path.display().to_string(),
        }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Makes the database private, with its write-ahead log and the index of that. SQLite gives new ones
/// the mode of the database.
fn make_private(path: &Path, file: &File) {
    let beside = ["-wal", "-shm"].map(|ending| File::open(beside(path, ending)));
    for file in std::iter::once(file).chain(beside.iter().flatten()) {
        if let Err(error) = papan_os::make_private(file) {
            // A server may use a file of another user.
            let path = path.display();
            tracing::warn!(%path, %error, "other users may read the database, which has secrets");
        }
    }
}

/// Returns the path of a file that SQLite keeps beside the database.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.to_owned().into_os_string();
    path.push(ending);
    path.into()
}

/// The file that was opened. If it is removed or replaced while the server runs, its connections
/// still work, but their writes are lost.
#[derive(Clone, Debug)]
pub(super) struct FileIdentity {
    path: PathBuf,
    id: FileId,
    /// The write-ahead log, which holds what is not in the file yet, as soon as there is one.
    log: Arc<Mutex<Option<FileId>>>,
}

impl FileIdentity {
    /// Returns the identity of an open file.
    pub(super) fn new(path: &Path, file: &File) -> Result<Self, StoreError> {
        let failed = |error: std::io::Error| StoreError::Database {
            path: path.display().to_string(),
            what: error.to_string(),
        };
        Ok(Self {
            path: path.into(),
            id: FileId::of(file).map_err(failed)?,
            log: Arc::default(),
        })
    }

    fn log_path(&self) -> PathBuf {
        beside(&self.path, "-wal")
    }

    /// Remembers the write-ahead log that a successful write has used.
    pub(super) fn remember_log(&self) {
        let mut log = self.log.lock();
        if log.is_none() {
            *log = FileId::at(&self.log_path()).ok();
        }
    }

    /// Forgets the write-ahead log, before a connection that may create another one.
    pub(super) fn forget_log(&self) {
        *self.log.lock() = None;
    }

    /// Checks that the path still leads to the file, and that its write-ahead log is there. This
    /// costs two microseconds, a commit a thousand times as much.
    ///
    /// # Errors
    /// [`StoreError::Unwritable`] if the file was removed or replaced.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let is_at = |id: FileId, path: &Path| FileId::at(path).is_ok_and(|found| found == id);
        let log = *self.log.lock();
        let what = if !is_at(self.id, &self.path) {
            "the file was removed or replaced; put it back, or restart the server"
        } else if log.is_some_and(|log| !is_at(log, &self.log_path())) {
            "its write-ahead log (-wal) was removed or replaced; restart the server"
        } else {
            return Ok(());
        };
        Err(StoreError::Unwritable {
            path: self.path.display().to_string(),
            what: what.into(),
        })
    }
}

/// Opens or creates the file and migrates it to the newest version.
pub(super) async fn open(path: &Path) -> Result<SqliteConnection, StoreError> {
    let name = path.display().to_string();
    let failed = |error| StoreError::database(&name, &error);
    let mut connection = options(path).connect().await.map_err(failed)?;
    let found = migrate(&mut connection).await.map_err(failed)?;
    found.accept(&name, MIGRATIONS.len())?;
    Ok(connection)
}

async fn migrate(connection: &mut SqliteConnection) -> Result<SchemaVersion, sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let kind: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *transaction)
        .await?;
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
        .fetch_one(&mut *transaction)
        .await?;
    if kind != KIND && (kind != 0 || tables != 0) {
        return Ok(SchemaVersion::Foreign);
    }
    let found: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *transaction)
        .await?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Ok(SchemaVersion::Newer(found));
    }
    for migration in &MIGRATIONS[found as usize..] {
        sqlx::raw_sql(*migration).execute(&mut *transaction).await?;
    }
    // A pragma takes no bound values; these are constants.
    let stamp = format!("PRAGMA application_id = {KIND}; PRAGMA user_version = {known};");
    sqlx::raw_sql(sqlx::AssertSqlSafe(stamp))
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(SchemaVersion::Ours)
}
