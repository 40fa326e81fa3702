//! The one task that writes. Whatever waits is written in one transaction, so
//! that many moves share one sync of the disk, and is answered after it.

use sqlx::{Connection, Row, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::{
    Appended, Digest, Joined, Joining, NewGame, Run, StoreError, StoredEvent, StoredStudy,
};

/// Writes in one transaction at most: a bound on how long the first one waits.
const GROUP: usize = 512;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// A write and whoever waits for it.
pub(super) enum Write {
    Create(Box<NewGame>, Answer<()>),
    Append {
        game: String,
        event: StoredEvent,
        finished: bool,
        answer: Answer<Appended>,
    },
    Join {
        game: String,
        joining: Joining,
        answer: Answer<Joined>,
    },
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
type Settled = Box<dyn FnOnce(Result<(), String>) + Send>;

fn settled<T: Send + 'static>(answer: Answer<T>, result: T) -> Settled {
    Box::new(move |committed| {
        // Whoever asked may have gone away.
        let _ = answer.send(committed.map(|()| result).map_err(StoreError::Group));
    })
}

pub(super) async fn run(mut connection: SqliteConnection, mut waiting: mpsc::Receiver<Write>) {
    let mut group = Vec::with_capacity(GROUP);
    while waiting.recv_many(&mut group, GROUP).await > 0 {
        let mut answers = Vec::with_capacity(group.len());
        let written = write(&mut connection, &mut group, &mut answers).await;
        let outcome = written.map_err(|error| error.to_string());
        // Dropped without an answer, the writes that never ran say "closed".
        group.clear();
        for answer in answers {
            answer(outcome.clone());
        }
    }
    let _ = connection.close().await;
}

async fn write(
    connection: &mut SqliteConnection,
    group: &mut Vec<Write>,
    answers: &mut Vec<Settled>,
) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for write in group.drain(..) {
        match write {
            Write::Create(game, answer) => {
                answers.push(settled(answer, ()));
                create(&mut transaction, &game).await?;
            }
            Write::Append {
                game,
                event,
                finished,
                answer,
            } => {
                let appended = append(&mut transaction, &game, &event, finished).await?;
                answers.push(settled(answer, appended));
            }
            Write::Join {
                game,
                joining,
                answer,
            } => {
                let joined = join(&mut transaction, &game, &joining).await?;
                answers.push(settled(answer, joined));
            }
            Write::Expire { before, answer } => {
                let gone = expire(&mut transaction, before).await?;
                answers.push(settled(answer, gone));
            }
            Write::KeepStudy(study, answer) => {
                answers.push(settled(answer, ()));
                keep_study(&mut transaction, &study).await?;
            }
            Write::ForgetStudies {
                before,
                most,
                answer,
            } => {
                let gone = forget_studies(&mut transaction, before, most).await?;
                answers.push(settled(answer, gone));
            }
            Write::Beat(run, answer) => {
                answers.push(settled(answer, ()));
                beat(&mut transaction, run).await?;
            }
        }
    }
    transaction.commit().await
}

async fn create(connection: &mut SqliteConnection, game: &NewGame) -> Result<(), sqlx::Error> {
    let holder = |player: usize| game.holders[player].map(Vec::from);
    sqlx::query(
        "INSERT INTO games (id, rules, start, first, second, clock, increment,
         salt, first_holder, second_holder, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&game.id)
    .bind(&game.rules)
    .bind(&game.start)
    .bind(&game.players[0])
    .bind(&game.players[1])
    .bind(game.clock.map(|(left, _)| left as i64))
    .bind(game.clock.map_or(0, |(_, increment)| increment as i64))
    .bind(&game.salt)
    .bind(holder(0))
    .bind(holder(1))
    .bind(game.created_at)
    .execute(&mut *connection)
    .await?;
    if let Some((player, digest)) = &game.invitation {
        sqlx::query("INSERT INTO invitations (digest, game, player) VALUES (?, ?, ?)")
            .bind(&digest[..])
            .bind(&game.id)
            .bind(*player as i64)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn append(
    connection: &mut SqliteConnection,
    game: &str,
    event: &StoredEvent,
    finished: bool,
) -> Result<Appended, sqlx::Error> {
    // The version before must be there, and this one must not: no gap, no fork.
    let done = sqlx::query(
        "INSERT INTO events (game, version, at, body, request_key)
         SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM games WHERE id = ?1)
         AND (?2 = 1 OR EXISTS (SELECT 1 FROM events WHERE game = ?1 AND version = ?2 - 1))
         ON CONFLICT DO NOTHING",
    )
    .bind(game)
    .bind(event.version as i64)
    .bind(event.at)
    .bind(&event.body)
    .bind(&event.key)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(Appended::Stale);
    }
    if finished {
        sqlx::query("UPDATE games SET finished = 1 WHERE id = ?")
            .bind(game)
            .execute(&mut *connection)
            .await?;
    }
    Ok(Appended::Done)
}

async fn join(
    connection: &mut SqliteConnection,
    game: &str,
    joining: &Joining,
) -> Result<Joined, sqlx::Error> {
    let invitation =
        sqlx::query("SELECT player FROM invitations WHERE digest = ? AND game = ? AND spent = 0")
            .bind(&joining.invitation[..])
            .bind(game)
            .fetch_optional(&mut *connection)
            .await?;
    let Some(invitation) = invitation else {
        return Ok(Joined::Spent);
    };
    if append(connection, game, &joining.event, false).await? == Appended::Stale {
        return Ok(Joined::Stale);
    }
    sqlx::query("UPDATE invitations SET spent = 1 WHERE digest = ?")
        .bind(&joining.invitation[..])
        .execute(&mut *connection)
        .await?;
    let seat = match invitation.try_get::<i64, _>(0)? {
        0 => "UPDATE games SET first_holder = ? WHERE id = ?",
        _ => "UPDATE games SET second_holder = ? WHERE id = ?",
    };
    let holder: Digest = joining.holder;
    sqlx::query(seat)
        .bind(Vec::from(holder))
        .bind(game)
        .execute(&mut *connection)
        .await?;
    Ok(Joined::Done)
}

async fn expire(
    connection: &mut SqliteConnection,
    before: i64,
) -> Result<Vec<String>, sqlx::Error> {
    let rows = sqlx::query(
        "DELETE FROM games WHERE finished = 0 AND created_at < ?1 AND NOT EXISTS
         (SELECT 1 FROM events WHERE game = id AND at >= ?1) RETURNING id",
    )
    .bind(before)
    .fetch_all(&mut *connection)
    .await?;
    // No clock that still runs began its turn before: these runs charge nobody.
    sqlx::query("DELETE FROM runs WHERE alive_at < ?")
        .bind(before)
        .execute(&mut *connection)
        .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

async fn keep_study(
    connection: &mut SqliteConnection,
    study: &StoredStudy,
) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT OR REPLACE INTO studies (subject, body, at) VALUES (?, ?, ?)")
        .bind(&study.subject)
        .bind(&study.body)
        .bind(study.at)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

async fn forget_studies(
    connection: &mut SqliteConnection,
    before: i64,
    most: u32,
) -> Result<u64, sqlx::Error> {
    let gone = sqlx::query(
        "DELETE FROM studies WHERE at < ?1 OR subject IN
         (SELECT subject FROM studies ORDER BY at DESC LIMIT -1 OFFSET ?2)",
    )
    .bind(before)
    .bind(most)
    .execute(&mut *connection)
    .await?;
    Ok(gone.rows_affected())
}

async fn beat(connection: &mut SqliteConnection, run: Run) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO runs (began_at, alive_at) VALUES (?, ?)
         ON CONFLICT (began_at) DO UPDATE SET alive_at = excluded.alive_at",
    )
    .bind(run.began_at)
    .bind(run.alive_at)
    .execute(&mut *connection)
    .await?;
    Ok(())
}
