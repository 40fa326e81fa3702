//! Games in a SQLite file: one task writes, in groups, and several connections read.

mod file;
mod rows;
mod statements;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::{
    Appended, Digest, GameStore, GameSummary, Invitation, Joined, Joining, NewGame, Run, Standing,
    StoreAnswer, StoreError, StoredEvent, StoredGame, StoredStudy,
};
use writer::{LastFailure, Write, Writer};

/// Connections that read beside the one that writes.
const READERS: u32 = 4;
/// Writes that may wait; a caller beyond waits for a place.
const WAITING: usize = 4096;

/// Games in a SQLite file.
#[derive(Debug)]
pub struct SqliteGames {
    path: PathBuf,
    readers: SqlitePool,
    writes: Mutex<Option<mpsc::Sender<Write>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    last_failure: Arc<LastFailure>,
    lock: Mutex<Option<File>>,
}

impl SqliteGames {
    /// Opens the file, or makes it, and brings it to the newest version. Nobody else
    /// opens it until it is closed.
    ///
    /// # Errors
    /// When the file cannot be opened, is not papan's or is in use.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = file::lock(path)?;
        let connection = file::open(path).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(file::options(path))
            .await
            .map_err(|error| StoreError::database(&path.display().to_string(), &error))?;
        let (writes, waiting) = mpsc::channel(WAITING);
        let writer = Writer::new(path);
        let last_failure = writer.last_failure();
        let writer = tokio::spawn(writer.run(connection, waiting));
        Ok(Self {
            path: path.into(),
            readers,
            writes: Mutex::new(Some(writes)),
            writer: Mutex::new(Some(writer)),
            last_failure,
            lock: Mutex::new(Some(lock)),
        })
    }

    /// Sends a write and waits until it is on the disk.
    async fn write<T>(
        &self,
        write: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Write,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let writes = self.writes.lock().expect("no panic inside").clone();
        let writes = writes.ok_or(StoreError::Closed)?;
        writes
            .send(write(answer))
            .await
            .map_err(|_| StoreError::Closed)?;
        drop(writes);
        match answered.await {
            Ok(answer) => answer,
            // It never ran: what went wrong with the others of its group says why.
            Err(_) => Err(self.failure().unwrap_or(StoreError::Closed)),
        }
    }

    fn failure(&self) -> Option<StoreError> {
        self.last_failure.lock().expect("no panic inside").clone()
    }

    /// What the readers say, with the name of the file where they fail.
    fn read<'a, T>(
        &'a self,
        read: impl Future<Output = Result<T, sqlx::Error>> + Send + 'a,
    ) -> StoreAnswer<'a, T> {
        Box::pin(async move {
            let read = read.await;
            read.map_err(|error| StoreError::database(&self.path.display().to_string(), &error))
        })
    }
}

impl GameStore for SqliteGames {
    fn create(&self, game: NewGame) -> StoreAnswer<'_, ()> {
        Box::pin(self.write(|answer| Write::Create(Box::new(game), answer)))
    }

    fn append<'a>(
        &'a self,
        game: &'a str,
        event: StoredEvent,
        standing: Standing,
    ) -> StoreAnswer<'a, Appended> {
        let game = game.to_owned();
        Box::pin(self.write(move |answer| Write::Append {
            game,
            event,
            standing,
            answer,
        }))
    }

    fn join<'a>(&'a self, game: &'a str, joining: Joining) -> StoreAnswer<'a, Joined> {
        let game = game.to_owned();
        Box::pin(self.write(move |answer| Write::Join {
            game,
            joining: Box::new(joining),
            answer,
        }))
    }

    fn load<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, Option<StoredGame>> {
        self.read(rows::load(&self.readers, game))
    }

    fn invitation(&self, digest: Digest) -> StoreAnswer<'_, Option<Invitation>> {
        self.read(rows::invitation(&self.readers, digest))
    }

    fn games_of(&self, visitor: Digest, most: u32) -> StoreAnswer<'_, Vec<GameSummary>> {
        self.read(rows::games_of(&self.readers, visitor, most))
    }

    fn visitor_at<'a>(&'a self, game: &'a str, player: usize) -> StoreAnswer<'a, Option<Digest>> {
        self.read(rows::visitor_at(&self.readers, game, player))
    }

    fn delete_game<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, bool> {
        let game = game.to_owned();
        Box::pin(self.write(move |answer| Write::DeleteGame(game, answer)))
    }

    fn delete_visitor(&self, visitor: Digest) -> StoreAnswer<'_, Vec<String>> {
        Box::pin(self.write(move |answer| Write::DeleteVisitor(visitor, answer)))
    }

    fn delete_name<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, Vec<String>> {
        let name = name.to_owned();
        Box::pin(self.write(move |answer| Write::DeleteName(name, answer)))
    }

    fn expire(&self, before: i64) -> StoreAnswer<'_, Vec<String>> {
        Box::pin(self.write(move |answer| Write::Expire { before, answer }))
    }

    fn keep_study(&self, study: StoredStudy) -> StoreAnswer<'_, ()> {
        Box::pin(self.write(move |answer| Write::KeepStudy(study, answer)))
    }

    fn study<'a>(&'a self, subject: &'a str) -> StoreAnswer<'a, Option<StoredStudy>> {
        self.read(rows::study(&self.readers, subject))
    }

    fn forget_studies(&self, before: i64, most: u32) -> StoreAnswer<'_, u64> {
        Box::pin(self.write(move |answer| Write::ForgetStudies {
            before,
            most,
            answer,
        }))
    }

    fn beat(&self, run: Run) -> StoreAnswer<'_, ()> {
        Box::pin(self.write(move |answer| Write::Beat(run, answer)))
    }

    fn runs(&self) -> StoreAnswer<'_, Vec<Run>> {
        self.read(rows::runs(&self.readers))
    }

    fn check(&self) -> StoreAnswer<'_, ()> {
        Box::pin(async move {
            self.runs().await?;
            self.failure().map_or(Ok(()), Err)
        })
    }

    fn close(&self) -> StoreAnswer<'_, ()> {
        Box::pin(async move {
            self.writes.lock().expect("no panic inside").take();
            let writer = self.writer.lock().expect("no panic inside").take();
            if let Some(writer) = writer {
                // The writer ends by itself once nobody can write any more.
                let _ = writer.await;
            }
            self.readers.close().await;
            self.lock.lock().expect("no panic inside").take();
            Ok(())
        })
    }
}
