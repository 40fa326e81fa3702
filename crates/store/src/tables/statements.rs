//! Statements of each change, inside the writer's transaction.

use sqlx::Row as _;

use super::dialect::Connection;
use crate::tables::change::{Change, Done};
use crate::{Appended, Digest, Joined, Joining, NewGame, Run, Standing, StoredEvent, StoredStudy};

/// Executes a change inside the transaction.
pub(super) async fn perform(on: &mut Connection, change: &Change) -> Result<Done, sqlx::Error> {
    Ok(match change {
        Change::Create(game) => {
            create(on, game).await?;
            Done::Kept
        }
        Change::Append {
            game,
            event,
            standing,
        } => Done::Appended(append(on, game, event, standing).await?),
        Change::Join { game, joining } => Done::Joined(join(on, game, joining).await?),
        Change::DeleteGame(game) => Done::Deleted(delete_game(on, game).await?),
        Change::DeleteVisitor(visitor) => Done::Games(delete_visitor(on, visitor).await?),
        Change::DeleteName(name) => Done::Games(delete_name(on, name).await?),
        Change::Expire { before } => Done::Games(expire(on, *before).await?),
        Change::KeepStudy(study) => {
            keep_study(on, study).await?;
            Done::Kept
        }
        Change::ForgetStudies { before, most } => {
            Done::Forgotten(forget_studies(on, *before, *most).await?)
        }
        Change::Beat(run) => {
            beat(on, *run).await?;
            Done::Kept
        }
    })
}

async fn create(connection: &mut Connection, game: &NewGame) -> Result<(), sqlx::Error> {
    let holder = |player: usize| game.holders[player].map(Vec::from);
    sqlx::query(
        "INSERT INTO games (id, rules, start, first, second, clock, increment, salt, first_holder,
         second_holder, created_at, first_name, second_name, listed, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $11)",
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
    .bind(&game.names[0])
    .bind(&game.names[1])
    .bind(i64::from(game.listed))
    .execute(&mut *connection)
    .await?;
    for (player, visitor) in game.visitors.iter().enumerate() {
        if let Some(visitor) = visitor {
            seat(connection, &game.id, player as i64, visitor).await?;
        }
    }
    if let Some((player, digest)) = &game.invitation {
        sqlx::query("INSERT INTO invitations (digest, game, player) VALUES ($1, $2, $3)")
            .bind(&digest[..])
            .bind(&game.id)
            .bind(*player as i64)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn seat(
    connection: &mut Connection,
    game: &str,
    player: i64,
    visitor: &Digest,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO seats (visitor, game, player) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    )
    .bind(&visitor[..])
    .bind(game)
    .bind(player)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

async fn append(
    connection: &mut Connection,
    game: &str,
    event: &StoredEvent,
    standing: &Standing,
) -> Result<Appended, sqlx::Error> {
    // The previous version must exist and this one must not: no gap, no fork.
    let done = sqlx::query(
        "INSERT INTO events (game, version, at, body, request_key)
         SELECT $1, $2, $3, $4, $5 WHERE EXISTS (SELECT 1 FROM games WHERE id = $1)
         AND ($2 = 1 OR EXISTS (SELECT 1 FROM events WHERE game = $1 AND version = $2 - 1))
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
    sqlx::query(
        "UPDATE games SET finished = $2, turn = $3, result = $4, changed_at = $5 WHERE id = $1",
    )
    .bind(game)
    .bind(i64::from(standing.finished))
    .bind(standing.turn.map(|turn| turn as i64))
    .bind(&standing.result)
    .bind(event.at)
    .execute(&mut *connection)
    .await?;
    Ok(Appended::Done)
}

async fn join(
    connection: &mut Connection,
    game: &str,
    joining: &Joining,
) -> Result<Joined, sqlx::Error> {
    let invitation =
        sqlx::query("SELECT player FROM invitations WHERE digest = $1 AND game = $2 AND spent = 0")
            .bind(&joining.invitation[..])
            .bind(game)
            .fetch_optional(&mut *connection)
            .await?;
    let Some(invitation) = invitation else {
        return Ok(Joined::Spent);
    };
    let player: i64 = invitation.try_get(0)?;
    let stale = append(connection, game, &joining.event, &joining.standing).await?;
    if stale == Appended::Stale {
        return Ok(Joined::Stale);
    }
    sqlx::query("UPDATE invitations SET spent = 1 WHERE digest = $1")
        .bind(&joining.invitation[..])
        .execute(&mut *connection)
        .await?;
    let taken = match player {
        0 => "UPDATE games SET first_holder = $1, first_name = $2 WHERE id = $3",
        _ => "UPDATE games SET second_holder = $1, second_name = $2 WHERE id = $3",
    };
    sqlx::query(taken)
        .bind(&joining.holder[..])
        .bind(&joining.name)
        .bind(game)
        .execute(&mut *connection)
        .await?;
    seat(connection, game, player, &joining.visitor).await?;
    Ok(Joined::Done)
}

async fn expire(connection: &mut Connection, before: i64) -> Result<Vec<String>, sqlx::Error> {
    let rows = sqlx::query("DELETE FROM games WHERE finished = 0 AND changed_at < $1 RETURNING id")
        .bind(before)
        .fetch_all(&mut *connection)
        .await?;
    // No running clock started before these runs, so they are charged to no player.
    sqlx::query("DELETE FROM runs WHERE alive_at < $1")
        .bind(before)
        .execute(&mut *connection)
        .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

async fn keep_study(connection: &mut Connection, study: &StoredStudy) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO studies (subject, body, at) VALUES ($1, $2, $3)
         ON CONFLICT (subject) DO UPDATE SET body = excluded.body, at = excluded.at",
    )
    .bind(&study.subject)
    .bind(&study.body)
    .bind(study.at)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

async fn forget_studies(
    connection: &mut Connection,
    before: i64,
    most: u32,
) -> Result<u64, sqlx::Error> {
    let gone = sqlx::query(
        // Data of visitors and ratings of puzzles cannot be computed again: they are kept.
        "DELETE FROM studies WHERE subject NOT LIKE 'visitor %' AND subject NOT LIKE 'puzzle %'
         AND (at < $1 OR subject NOT IN
         (SELECT subject FROM studies WHERE subject NOT LIKE 'visitor %'
          AND subject NOT LIKE 'puzzle %' ORDER BY at DESC LIMIT $2))",
    )
    .bind(before)
    .bind(i64::from(most))
    .execute(&mut *connection)
    .await?;
    Ok(gone.rows_affected())
}

async fn beat(connection: &mut Connection, run: Run) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO runs (began_at, alive_at) VALUES ($1, $2)
         ON CONFLICT (began_at) DO UPDATE SET alive_at = excluded.alive_at",
    )
    .bind(run.began_at)
    .bind(run.alive_at)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

async fn delete_game(connection: &mut Connection, game: &str) -> Result<bool, sqlx::Error> {
    let gone = sqlx::query("DELETE FROM games WHERE id = $1")
        .bind(game)
        .execute(&mut *connection)
        .await?;
    Ok(gone.rows_affected() > 0)
}

async fn delete_visitor(
    connection: &mut Connection,
    visitor: &Digest,
) -> Result<Vec<String>, sqlx::Error> {
    let gone = sqlx::query(
        "DELETE FROM games WHERE id IN (SELECT game FROM seats WHERE visitor = $1) RETURNING id",
    )
    .bind(&visitor[..])
    .fetch_all(&mut *connection)
    .await?;
    let hex: String = visitor.iter().map(|byte| format!("{byte:02x}")).collect();
    sqlx::query("DELETE FROM studies WHERE subject LIKE $1")
        .bind(format!("visitor {hex} %"))
        .execute(&mut *connection)
        .await?;
    gone.iter().map(|row| row.try_get(0)).collect()
}

async fn delete_name(connection: &mut Connection, name: &str) -> Result<Vec<String>, sqlx::Error> {
    let changed = sqlx::query(
        "UPDATE games SET first_name = nullif(first_name, $1), second_name = nullif(second_name, $1)
         WHERE first_name = $1 OR second_name = $1 RETURNING id",
    )
    .bind(name)
    .fetch_all(&mut *connection)
    .await?;
    changed.iter().map(|row| row.try_get(0)).collect()
}
