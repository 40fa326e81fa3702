//! Batched appends: events of different games in one statement, because round trips cost more than
//! the work itself.

use sqlx::{PgConnection, Row as _};

use crate::tables::batching::{self, Event};
use crate::tables::change::Done;

/// Appends events of different games.
pub(super) async fn append(
    connection: &mut PgConnection,
    events: &[(usize, Event<'_>)],
) -> Result<Vec<(usize, Done)>, sqlx::Error> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    let all = || events.iter().map(|(_, event)| *event);
    let number = |flag: bool| i64::from(flag);
    // The same SQL as for one event, in the lock order of all servers. The previous event is looked
    // up per game; with `EXISTS` the planner would hash all events for each group.
    let rows = sqlx::query(
        "WITH new AS (
             SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[],
                 $6::bigint[], $7::bigint[], $8::text[])
             AS new (game, version, at, body, request_key, finished, turn, result)),
         locked AS (
             SELECT g.id FROM games g WHERE g.id IN (SELECT game COLLATE \"C\" FROM new)
             ORDER BY g.id FOR NO KEY UPDATE),
         added AS (
             INSERT INTO events (game, version, at, body, request_key)
             SELECT new.game, new.version, new.at, new.body, new.request_key
             FROM new JOIN locked ON locked.id = new.game
             LEFT JOIN LATERAL (SELECT 1 AS found FROM events e
                 WHERE e.game = new.game AND e.version = new.version - 1 LIMIT 1) before ON true
             WHERE new.version = 1 OR before.found = 1
             ON CONFLICT DO NOTHING RETURNING game),
         changed AS (
             UPDATE games g SET finished = new.finished, turn = new.turn, result = new.result,
                 changed_at = new.at
             FROM new JOIN added ON added.game = new.game WHERE g.id = new.game)
         SELECT game FROM added",
    )
    .bind(all().map(|(game, ..)| game).collect::<Vec<_>>())
    .bind(
        all()
            .map(|(_, event, _)| event.version as i64)
            .collect::<Vec<_>>(),
    )
    .bind(all().map(|(_, event, _)| event.at).collect::<Vec<_>>())
    .bind(
        all()
            .map(|(_, event, _)| event.body.as_str())
            .collect::<Vec<_>>(),
    )
    .bind(
        all()
            .map(|(_, event, _)| event.key.as_deref())
            .collect::<Vec<_>>(),
    )
    .bind(
        all()
            .map(|(.., standing)| number(standing.finished))
            .collect::<Vec<_>>(),
    )
    .bind(
        all()
            .map(|(.., standing)| standing.turn.map(|turn| turn as i64))
            .collect::<Vec<_>>(),
    )
    .bind(
        all()
            .map(|(.., standing)| standing.result.as_deref())
            .collect::<Vec<_>>(),
    )
    .fetch_all(connection)
    .await?;
    let added = rows.iter().map(|row| row.try_get(0));
    Ok(batching::done(events, &added.collect::<Result<_, _>>()?))
}
