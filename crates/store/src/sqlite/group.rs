//! Batched writes: events of different games and new games in one statement, because handing each
//! statement and row between threads costs more than executing it.

use serde::Serialize;
use sqlx::{Row as _, SqliteConnection};

use crate::tables::batching::Event;
use crate::{Digest, NewGame};

/// The same SQL as for one event and one game, on JSON lists.
const BEGIN: &str = "BEGIN IMMEDIATE;

INSERT INTO events (game, version, at, body, request_key)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
FROM json_each($1) AS new
WHERE EXISTS (SELECT 1 FROM games WHERE games.id = new.value ->> 0)
AND (new.value ->> 1 = 1 OR EXISTS (SELECT 1 FROM events
    WHERE game = new.value ->> 0 AND version = (new.value ->> 1) - 1))
ON CONFLICT DO NOTHING;

SELECT changes();

UPDATE games SET finished = new.value ->> 1, turn = new.value ->> 2,
result = new.value ->> 3, changed_at = new.value ->> 4
FROM json_each($2) AS new WHERE games.id = new.value ->> 0;

INSERT INTO games (id, rules, start, first, second, clock, increment, salt, first_holder,
second_holder, created_at, first_name, second_name, listed, changed_at)
SELECT value ->> '$[0][0]', value ->> '$[0][1]', value ->> '$[0][2]', value ->> '$[0][3]',
value ->> '$[0][4]', value ->> '$[1][0]', value ->> '$[1][1]', value ->> '$[1][2]',
unhex(value ->> '$[1][3]'), unhex(value ->> '$[1][4]'), value ->> '$[2][0]',
value ->> '$[2][1]', value ->> '$[2][2]', value ->> '$[2][3]', value ->> '$[2][0]'
FROM json_each($3);

INSERT INTO seats (visitor, game, player)
SELECT unhex(value ->> 0), value ->> 1, value ->> 2 FROM json_each($4)
WHERE true ON CONFLICT DO NOTHING;

INSERT INTO invitations (digest, game, player)
SELECT unhex(value ->> 0), value ->> 1, value ->> 2 FROM json_each($5)";

/// Begins a transaction and adds all of them. Returns false if an event's version is not the next
/// one: others may have been added, and the transaction must not be committed.
pub(super) async fn begin(
    connection: &mut SqliteConnection,
    events: &[Event<'_>],
    games: &[&NewGame],
) -> Result<bool, sqlx::Error> {
    let happened = events.iter();
    let happened = happened.map(|(game, e, _)| (game, e.version, e.at, &e.body, &e.key));
    let standings = events.iter().map(|(game, event, standing)| {
        let finished = u8::from(standing.finished);
        (game, finished, standing.turn, &standing.result, event.at)
    });
    let seats = games.iter().flat_map(|game| {
        let visitors = game.visitors.iter().enumerate();
        visitors.filter_map(|(player, visitor)| Some((hex((*visitor)?), &game.id, player)))
    });
    let invitations = games.iter().filter_map(|game| {
        let (player, digest) = game.invitation?;
        Some((hex(digest), &game.id, player))
    });
    let rows = sqlx::query(BEGIN)
        .bind(json(happened))
        .bind(json(standings))
        .bind(json(games.iter().map(|game| row(game))))
        .bind(json(seats))
        .bind(json(invitations))
        .fetch_all(connection)
        .await?;
    let added: i64 = rows.first().map_or(Ok(0), |row| row.try_get(0))?;
    Ok(added == events.len() as i64)
}

fn row(game: &NewGame) -> impl Serialize + '_ {
    let [first, second] = &game.players;
    let [first_holder, second_holder] = game.holders.map(|holder| holder.map(hex));
    let [first_name, second_name] = &game.names;
    let clock = game.clock.map(|(left, _)| left);
    let increment = game.clock.map_or(0, |(_, increment)| increment);
    let listed = u8::from(game.listed);
    (
        (&game.id, &game.rules, &game.start, first, second),
        (clock, increment, &game.salt, first_holder, second_holder),
        (game.created_at, first_name, second_name, listed),
    )
}

fn json<T: Serialize>(rows: impl Iterator<Item = T>) -> String {
    serde_json::to_string(&rows.collect::<Vec<_>>()).expect("strings and numbers")
}

/// JSON has no bytes.
fn hex(digest: Digest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
