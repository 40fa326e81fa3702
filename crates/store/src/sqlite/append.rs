//! Many events of different games in two statements, as JSON: each statement is handed to
//! another thread and back.

use std::collections::HashSet;

use sqlx::{Row as _, SqliteConnection};

use crate::StoredEvent;
use crate::tables::change::Done;
use crate::tables::lonely::{self, Event};

/// Adds events of different games.
pub(super) async fn append(
    connection: &mut SqliteConnection,
    events: &[(usize, Event<'_>)],
) -> Result<Vec<(usize, Done)>, sqlx::Error> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    let rows = events.iter().map(|(_, (game, event, _))| {
        let StoredEvent {
            version,
            at,
            body,
            key,
        } = event;
        (game, version, at, body, key)
    });
    let rows = serde_json::to_string(&rows.collect::<Vec<_>>()).expect("strings and numbers");
    // The same words as for one event.
    let added = sqlx::query(
        "INSERT INTO events (game, version, at, body, request_key)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
         FROM json_each($1) AS new
         WHERE EXISTS (SELECT 1 FROM games WHERE games.id = new.value ->> 0)
         AND (new.value ->> 1 = 1 OR EXISTS (SELECT 1 FROM events
             WHERE game = new.value ->> 0 AND version = (new.value ->> 1) - 1))
         ON CONFLICT DO NOTHING RETURNING game",
    )
    .bind(rows)
    .fetch_all(&mut *connection)
    .await?;
    let added = added.iter().map(|row| row.try_get(0));
    let added = added.collect::<Result<HashSet<String>, _>>()?;
    let standings = events.iter().map(|(_, event)| event);
    let standings = standings.filter(|(game, ..)| added.contains(*game));
    let standings = standings.map(|(game, event, standing)| {
        let turn = standing.turn;
        (
            game,
            u8::from(standing.finished),
            turn,
            &standing.result,
            event.at,
        )
    });
    let standings = serde_json::to_string(&standings.collect::<Vec<_>>());
    sqlx::query(
        "UPDATE games SET finished = new.value ->> 1, turn = new.value ->> 2,
         result = new.value ->> 3, changed_at = new.value ->> 4
         FROM json_each($1) AS new WHERE games.id = new.value ->> 0",
    )
    .bind(standings.expect("strings and numbers"))
    .execute(connection)
    .await?;
    Ok(lonely::done(events, &added))
}
