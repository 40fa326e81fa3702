//! Games in a SQLite file.

use std::path::Path;
use std::sync::Mutex;

use sqlx::sqlite::{SqlitePool, SqlitePoolOptions, SqliteRow};
use sqlx::{ConnectOptions, Row};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::writer::{self, Write};
use super::{
    Appended, Digest, GameStore, Invitation, Joined, Joining, NewGame, Run, StoreAnswer,
    StoreError, StoredEvent, StoredGame, StoredStudy, file,
};

/// Connections that read beside the one that writes.
const READERS: u32 = 4;
/// Writes that may wait; a caller beyond waits for a place.
const WAITING: usize = 4096;

/// Games in a SQLite file: one task writes, in groups, and several connections read.
#[derive(Debug)]
pub struct SqliteGames {
    readers: SqlitePool,
    writes: Mutex<Option<mpsc::Sender<Write>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteGames {
    /// Opens the file, or makes it, and brings it to the newest version.
    ///
    /// # Errors
    /// When the file cannot be opened or is not papan's.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = file::options(path).connect().await?;
        file::migrate(&mut connection, path).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(file::options(path))
            .await?;
        let (writes, waiting) = mpsc::channel(WAITING);
        let writer = tokio::spawn(writer::run(connection, waiting));
        Ok(Self {
            readers,
            writes: Mutex::new(Some(writes)),
            writer: Mutex::new(Some(writer)),
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
        answered.await.map_err(|_| StoreError::Closed)?
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
        finished: bool,
    ) -> StoreAnswer<'a, Appended> {
        let game = game.to_owned();
        Box::pin(self.write(move |answer| Write::Append {
            game,
            event,
            finished,
            answer,
        }))
    }

    fn join<'a>(&'a self, game: &'a str, joining: Joining) -> StoreAnswer<'a, Joined> {
        let game = game.to_owned();
        Box::pin(self.write(move |answer| Write::Join {
            game,
            joining,
            answer,
        }))
    }

    fn load<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, Option<StoredGame>> {
        Box::pin(async move {
            // One transaction, so that header and events are of one moment.
            let mut reader = self.readers.begin().await?;
            let header = sqlx::query(
                "SELECT g.*, i.player AS invited, i.digest AS invitation FROM games g
                 LEFT JOIN invitations i ON i.game = g.id AND i.spent = 0 WHERE g.id = ?",
            )
            .bind(game)
            .fetch_optional(&mut *reader)
            .await?;
            let Some(header) = header else {
                return Ok(None);
            };
            let rows = sqlx::query(
                "SELECT version, at, body, request_key FROM events WHERE game = ? ORDER BY version",
            )
            .bind(game)
            .fetch_all(&mut *reader)
            .await?;
            let game = header_of(&header)?;
            let events: Result<Vec<_>, sqlx::Error> = rows.iter().map(event_of).collect();
            let events = events?;
            let whole = events
                .iter()
                .map(|event| event.version)
                .eq(1..=events.len() as u64);
            if !whole {
                return Err(StoreError::Broken {
                    game: game.id,
                    what: "an event is missing".into(),
                });
            }
            Ok(Some(StoredGame { game, events }))
        })
    }

    fn invitation(&self, digest: Digest) -> StoreAnswer<'_, Option<Invitation>> {
        Box::pin(async move {
            let row = sqlx::query("SELECT game, player, spent FROM invitations WHERE digest = ?")
                .bind(&digest[..])
                .fetch_optional(&self.readers)
                .await?;
            row.map(|row| {
                Ok(Invitation {
                    game: row.try_get(0)?,
                    player: row.try_get::<i64, _>(1)? as usize,
                    spent: row.try_get::<i64, _>(2)? != 0,
                })
            })
            .transpose()
        })
    }

    fn expire(&self, before: i64) -> StoreAnswer<'_, Vec<String>> {
        Box::pin(self.write(move |answer| Write::Expire { before, answer }))
    }

    fn keep_study(&self, study: StoredStudy) -> StoreAnswer<'_, ()> {
        Box::pin(self.write(move |answer| Write::KeepStudy(study, answer)))
    }

    fn study<'a>(&'a self, subject: &'a str) -> StoreAnswer<'a, Option<StoredStudy>> {
        Box::pin(async move {
            let row = sqlx::query("SELECT body, at FROM studies WHERE subject = ?")
                .bind(subject)
                .fetch_optional(&self.readers)
                .await?;
            row.map(|row| {
                Ok(StoredStudy {
                    subject: subject.into(),
                    body: row.try_get(0)?,
                    at: row.try_get(1)?,
                })
            })
            .transpose()
        })
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
        Box::pin(async move {
            let rows = sqlx::query("SELECT began_at, alive_at FROM runs ORDER BY began_at")
                .fetch_all(&self.readers)
                .await?;
            rows.iter()
                .map(|row| {
                    Ok(Run {
                        began_at: row.try_get(0)?,
                        alive_at: row.try_get(1)?,
                    })
                })
                .collect()
        })
    }

    fn check(&self) -> StoreAnswer<'_, ()> {
        Box::pin(async move {
            sqlx::query("SELECT count(*) FROM runs")
                .fetch_one(&self.readers)
                .await?;
            Ok(())
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
            Ok(())
        })
    }
}

fn header_of(row: &SqliteRow) -> Result<NewGame, StoreError> {
    let id: String = row.try_get("id")?;
    let digest = |bytes: Option<Vec<u8>>| {
        bytes
            .map(|bytes| Digest::try_from(bytes.as_slice()))
            .transpose()
            .map_err(|_| StoreError::Broken {
                game: id.clone(),
                what: "a digest has the wrong length".into(),
            })
    };
    let clock: Option<i64> = row.try_get("clock")?;
    let increment: i64 = row.try_get("increment")?;
    let invited: Option<i64> = row.try_get("invited")?;
    let invitation = digest(row.try_get("invitation")?)?;
    Ok(NewGame {
        rules: row.try_get("rules")?,
        start: row.try_get("start")?,
        players: [row.try_get("first")?, row.try_get("second")?],
        clock: clock.map(|clock| (clock as u64, increment as u64)),
        salt: row.try_get("salt")?,
        holders: [
            digest(row.try_get("first_holder")?)?,
            digest(row.try_get("second_holder")?)?,
        ],
        invitation: invited.map(|player| player as usize).zip(invitation),
        created_at: row.try_get("created_at")?,
        id,
    })
}

fn event_of(row: &SqliteRow) -> Result<StoredEvent, sqlx::Error> {
    Ok(StoredEvent {
        version: row.try_get::<i64, _>(0)? as u64,
        at: row.try_get(1)?,
        body: row.try_get(2)?,
        key: row.try_get(3)?,
    })
}
