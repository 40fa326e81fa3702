//! Queries: rows become games, events, invitations, runs.

use sqlx::Row as _;

use super::dialect::{Pool, Row};
use crate::{
    Digest, GameSummary, Invitation, NewGame, Run, Standing, StoredEvent, StoredGame, StoredStudy,
};

type Read<T> = Result<T, sqlx::Error>;

/// Returns the error of an invalid row.
fn broken(game: &str, what: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("game {game}: {what}").into())
}

fn digest(bytes: Option<Vec<u8>>) -> Read<Option<Digest>> {
    let digest = bytes.map(|bytes| Digest::try_from(bytes.as_slice()));
    digest
        .transpose()
        .map_err(|_| sqlx::Error::Decode("a digest has the wrong length".into()))
}

pub(super) async fn load(readers: &Pool, id: &str) -> Read<Option<StoredGame>> {
    // One transaction, so that header and events are consistent.
    let mut reader = readers.begin().await?;
    let header = sqlx::query(
        "SELECT g.*, i.player AS invited, i.digest AS invitation FROM games g
         LEFT JOIN invitations i ON i.game = g.id AND i.spent = 0 WHERE g.id = $1",
    )
    .bind(id)
    .fetch_optional(&mut *reader)
    .await?;
    let Some(header) = header else {
        return Ok(None);
    };
    let mut game = header_of(&header)?;
    let seats = sqlx::query("SELECT visitor, player FROM seats WHERE game = $1")
        .bind(id)
        .fetch_all(&mut *reader)
        .await?;
    for seat in seats {
        let player = seat.try_get::<i64, _>(1)? as usize;
        game.visitors[player & 1] = digest(seat.try_get(0)?)?;
    }
    let events = sqlx::query(
        "SELECT version, at, body, request_key FROM events WHERE game = $1 ORDER BY version",
    )
    .bind(id)
    .fetch_all(&mut *reader)
    .await?;
    let events: Vec<StoredEvent> = events.iter().map(event_of).collect::<Read<_>>()?;
    let versions = events.iter().map(|event| event.version);
    if !versions.eq(1..=events.len() as u64) {
        return Err(broken(id, "an event is missing"));
    }
    Ok(Some(StoredGame { game, events }))
}

fn header_of(row: &Row) -> Read<NewGame> {
    let clock: Option<i64> = row.try_get("clock")?;
    let increment: i64 = row.try_get("increment")?;
    let invited: Option<i64> = row.try_get("invited")?;
    let invitation = digest(row.try_get("invitation")?)?;
    Ok(NewGame {
        id: row.try_get("id")?,
        rules: row.try_get("rules")?,
        start: row.try_get("start")?,
        players: [row.try_get("first")?, row.try_get("second")?],
        clock: clock.map(|clock| (clock as u64, increment as u64)),
        salt: row.try_get("salt")?,
        holders: [
            digest(row.try_get("first_holder")?)?,
            digest(row.try_get("second_holder")?)?,
        ],
        visitors: [None; 2],
        names: [row.try_get("first_name")?, row.try_get("second_name")?],
        listed: row.try_get::<i64, _>("listed")? != 0,
        invitation: invited.map(|player| player as usize).zip(invitation),
        created_at: row.try_get("created_at")?,
    })
}

fn event_of(row: &Row) -> Read<StoredEvent> {
    Ok(StoredEvent {
        version: row.try_get::<i64, _>(0)? as u64,
        at: row.try_get(1)?,
        body: row.try_get(2)?,
        key: row.try_get(3)?,
    })
}

pub(super) async fn invitation(readers: &Pool, digest: Digest) -> Read<Option<Invitation>> {
    let row = sqlx::query("SELECT game, player, spent FROM invitations WHERE digest = $1")
        .bind(&digest[..])
        .fetch_optional(readers)
        .await?;
    row.map(|row| {
        Ok(Invitation {
            game: row.try_get(0)?,
            player: row.try_get::<i64, _>(1)? as usize,
            spent: row.try_get::<i64, _>(2)? != 0,
        })
    })
    .transpose()
}

pub(super) async fn games_of(
    readers: &Pool,
    visitor: Digest,
    most: u32,
    skip: u32,
) -> Read<Vec<GameSummary>> {
    let rows = sqlx::query(
        "SELECT g.id, g.rules, g.first, g.second, g.first_name, g.second_name, g.finished, g.turn,
         g.result, g.changed_at, min(s.player) AS lowest, max(s.player) AS highest,
         (SELECT count(*) FROM invitations i WHERE i.game = g.id AND i.spent = 0) AS vacant
         FROM seats s JOIN games g ON g.id = s.game WHERE s.visitor = $1
         GROUP BY g.id ORDER BY g.finished, g.changed_at DESC, g.id LIMIT $2 OFFSET $3",
    )
    .bind(&visitor[..])
    .bind(i64::from(most))
    .bind(i64::from(skip))
    .fetch_all(readers)
    .await?;
    let yes = |row: &Row, name| Ok::<_, sqlx::Error>(row.try_get::<i64, _>(name)? != 0);
    rows.iter()
        .map(|row| {
            Ok(GameSummary {
                id: row.try_get("id")?,
                rules: row.try_get("rules")?,
                players: [row.try_get("first")?, row.try_get("second")?],
                names: [row.try_get("first_name")?, row.try_get("second_name")?],
                seats: [!yes(row, "lowest")?, yes(row, "highest")?],
                standing: Standing {
                    finished: yes(row, "finished")?,
                    turn: row
                        .try_get::<Option<i64>, _>("turn")?
                        .map(|turn| turn as usize),
                    result: row.try_get("result")?,
                },
                vacant: yes(row, "vacant")?,
                changed_at: row.try_get("changed_at")?,
            })
        })
        .collect()
}

pub(super) async fn visitor_at(readers: &Pool, game: &str, player: usize) -> Read<Option<Digest>> {
    let row = sqlx::query_scalar("SELECT visitor FROM seats WHERE game = $1 AND player = $2")
        .bind(game)
        .bind(player as i64)
        .fetch_optional(readers)
        .await?;
    digest(row)
}

pub(super) async fn study(readers: &Pool, subject: &str) -> Read<Option<StoredStudy>> {
    let row = sqlx::query("SELECT body, at FROM studies WHERE subject = $1")
        .bind(subject)
        .fetch_optional(readers)
        .await?;
    row.map(|row| {
        Ok(StoredStudy {
            subject: subject.into(),
            body: row.try_get(0)?,
            at: row.try_get(1)?,
        })
    })
    .transpose()
}

pub(super) async fn runs(readers: &Pool) -> Read<Vec<Run>> {
    let rows = sqlx::query("SELECT began_at, alive_at FROM runs ORDER BY began_at")
        .fetch_all(readers)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(Run {
                began_at: row.try_get(0)?,
                alive_at: row.try_get(1)?,
            })
        })
        .collect()
}

pub(super) async fn versions(readers: &Pool, games: &[String]) -> Read<Vec<(String, u64)>> {
    let mut reader = readers.acquire().await?;
    let mut found = Vec::with_capacity(games.len());
    for game in games {
        let row = sqlx::query(
            "SELECT (SELECT coalesce(max(version), 0) FROM events WHERE game = g.id)
             FROM games g WHERE g.id = $1",
        )
        .bind(game)
        .fetch_optional(&mut *reader)
        .await?;
        if let Some(row) = row {
            found.push((game.clone(), row.try_get::<i64, _>(0)? as u64));
        }
    }
    Ok(found)
}
