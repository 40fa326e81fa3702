//! The one task that writes. Whatever waits is written in one transaction, so
//! that many moves share one sync of the disk, and is answered after it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::{file, statements};
use crate::{
    Appended, Digest, Joined, Joining, NewGame, Run, Standing, StoreError, StoredEvent, StoredStudy,
};

/// Writes in one transaction at most: a bound on how long the first one waits.
const GROUP: usize = 512;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Why the last write failed, if it did.
pub(super) type LastFailure = Mutex<Option<StoreError>>;

/// A write and whoever waits for it.
pub(super) enum Write {
    Create(Box<NewGame>, Answer<()>),
    Append {
        game: String,
        event: StoredEvent,
        standing: Standing,
        answer: Answer<Appended>,
    },
    Join {
        game: String,
        joining: Box<Joining>,
        answer: Answer<Joined>,
    },
    DeleteGame(String, Answer<bool>),
    DeleteVisitor(Digest, Answer<Vec<String>>),
    DeleteName(String, Answer<Vec<String>>),
    Expire {
        before: i64,
        answer: Answer<Vec<String>>,
    },
    KeepStudy(StoredStudy, Answer<()>),
    ForgetStudies {
        before: i64,
        most: u32,
        answer: Answer<u64>,
    },
    Beat(Run, Answer<()>),
}

/// A write that was done, to be answered once it is on the disk.
type Settled = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

fn settled<T: Send + 'static>(answer: Answer<T>, result: T) -> Settled {
    Box::new(move |committed| {
        // Whoever asked may have gone away.
        let _ = answer.send(committed.map(|()| result));
    })
}

/// The writer of one file.
pub(super) struct Writer {
    path: PathBuf,
    last_failure: Arc<LastFailure>,
}

impl Writer {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.into(),
            last_failure: Arc::default(),
        }
    }

    pub(super) fn last_failure(&self) -> Arc<LastFailure> {
        Arc::clone(&self.last_failure)
    }

    /// Writes until nobody can write any more.
    pub(super) async fn run(
        self,
        connection: SqliteConnection,
        mut waiting: mpsc::Receiver<Write>,
    ) {
        let mut connection = Some(connection);
        let mut group = Vec::with_capacity(GROUP);
        while waiting.recv_many(&mut group, GROUP).await > 0 {
            let mut answers = Vec::with_capacity(group.len());
            let written = self.write(&mut connection, &mut group, &mut answers).await;
            let outcome = written.map_err(|error| {
                // After a full disk SQLite has rolled back by itself, and the
                // connection believes otherwise: the next group gets a new one.
                connection = None;
                StoreError::database(&self.path.display().to_string(), &error)
            });
            *self.last_failure.lock().expect("no panic inside") = outcome.clone().err();
            // Dropped without an answer, the writes that never ran say "closed".
            group.clear();
            for answer in answers {
                answer(outcome.clone());
            }
        }
        if let Some(connection) = connection {
            let _ = connection.close().await;
        }
    }

    async fn write(
        &self,
        connection: &mut Option<SqliteConnection>,
        group: &mut Vec<Write>,
        answers: &mut Vec<Settled>,
    ) -> Result<(), sqlx::Error> {
        let connection = match connection {
            Some(connection) => connection,
            None => connection.insert(file::options(&self.path).connect().await?),
        };
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        for write in group.drain(..) {
            answers.push(perform(&mut transaction, write).await?);
        }
        transaction.commit().await
    }
}

/// Does one write inside the transaction.
async fn perform(on: &mut SqliteConnection, write: Write) -> Result<Settled, sqlx::Error> {
    Ok(match write {
        Write::Create(game, answer) => settled(answer, statements::create(on, &game).await?),
        Write::Append {
            game,
            event,
            standing,
            answer,
        } => {
            let appended = statements::append(on, &game, &event, &standing).await?;
            settled(answer, appended)
        }
        Write::Join {
            game,
            joining,
            answer,
        } => settled(answer, statements::join(on, &game, &joining).await?),
        Write::DeleteGame(game, answer) => {
            settled(answer, statements::delete_game(on, &game).await?)
        }
        Write::DeleteVisitor(visitor, answer) => {
            settled(answer, statements::delete_visitor(on, &visitor).await?)
        }
        Write::DeleteName(name, answer) => {
            settled(answer, statements::delete_name(on, &name).await?)
        }
        Write::Expire { before, answer } => settled(answer, statements::expire(on, before).await?),
        Write::KeepStudy(study, answer) => {
            settled(answer, statements::keep_study(on, &study).await?)
        }
        Write::ForgetStudies {
            before,
            most,
            answer,
        } => settled(answer, statements::forget_studies(on, before, most).await?),
        Write::Beat(run, answer) => settled(answer, statements::beat(on, run).await?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps a study of so many bytes.
    async fn keep(writes: &mpsc::Sender<Write>, bytes: usize) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        let study = StoredStudy {
            subject: "a study".into(),
            body: "x".repeat(bytes),
            at: 0,
        };
        let sent = writes.send(Write::KeepStudy(study, answer)).await;
        assert!(sent.is_ok(), "the writer is there");
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    #[tokio::test]
    async fn after_a_full_disk_the_next_write_succeeds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let mut connection = file::open(&path).await.unwrap();
        // No page more than there are: to SQLite that is a full disk.
        sqlx::raw_sql("PRAGMA max_page_count = 1")
            .execute(&mut connection)
            .await
            .unwrap();
        let (writes, waiting) = mpsc::channel(8);
        let writer = Writer::new(&path);
        let failure = writer.last_failure();
        let writer = tokio::spawn(writer.run(connection, waiting));
        assert!(keep(&writes, 1 << 20).await.is_err());
        let said = failure.lock().unwrap().as_ref().unwrap().to_string();
        assert!(
            said.ends_with("games.sqlite: database or disk is full"),
            "{said}"
        );
        keep(&writes, 1 << 20).await.unwrap();
        assert_eq!(*failure.lock().unwrap(), None);
        drop(writes);
        writer.await.unwrap();
    }
}
