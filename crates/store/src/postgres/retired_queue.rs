//! The job queue that papan 0.2 had in PostgreSQL: its last migration names unfinished work.
//!
//! Jobs go through NATS JetStream now. Before the tables are dropped, the commands that had
//! unfinished jobs are logged, so that they can be run again. They lose nothing but time: results
//! are in the journals and certificates of their coordinators.

use serde_json::Value;
use sqlx::PgConnection;

/// Version of the schema whose migration drops the queue.
pub(super) const DROPPED_BY: i64 = 4;
/// Version of the schema that introduced the queue.
const CREATED_BY: i64 = 2;

/// Returns the commands with unfinished jobs, if the schema of this version has a queue.
pub(super) async fn unfinished_commands(
    connection: &mut PgConnection,
    version: i64,
) -> Result<Vec<String>, sqlx::Error> {
    if !(CREATED_BY..DROPPED_BY).contains(&version) {
        return Ok(Vec::new());
    }
    let groups: Vec<(String, String)> = sqlx::query_as(
        "SELECT kind, body FROM undertakings
         WHERE open AND EXISTS (
             SELECT FROM jobs WHERE undertaking = name AND state <> 'done'
         )
         ORDER BY made_at",
    )
    .fetch_all(connection)
    .await?;
    let commands = groups.iter().filter_map(|(kind, body)| command(kind, body));
    Ok(commands.collect())
}

/// A NATS server on this machine; the log says to give another address where it is elsewhere.
const SERVER: &str = "--jobs nats://127.0.0.1:4222";

/// Returns a command for a shell that continues a group; analyses are submitted again by their
/// servers.
fn command(kind: &str, body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    let text = |field: &str| body[field].as_str().map(quoted);
    match kind {
        "games" => {
            let players = body["players"].as_array();
            let players = players.into_iter().flatten().filter_map(Value::as_str);
            let players = players.map(|name| format!("--player {} ", quoted(name)));
            let players: String = players.collect();
            Some(format!("papan arena {} {players}{SERVER}", text("game")?))
        }
        "leaves" => Some(format!("papan solve {} {SERVER}", text("game")?)),
        "self-play" => {
            let numbers = ["depth", "solve", "seed"].map(|field| {
                let number = body[field].as_u64();
                number.map_or_else(String::new, |number| format!("--{field} {number} "))
            });
            Some(format!(
                "papan-train play --out games.bin --games 100000 {}{SERVER}",
                numbers.concat()
            ))
        }
        _ => None,
    }
}

/// Returns one word of a POSIX shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-:.,=/@%+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let games = r#"{"game":"othello","players":["engine","mcts(playouts=9)","gtp:it's"]}"#;
        assert_eq!(
            command("games", games).unwrap(),
            r"papan arena othello --player engine --player 'mcts(playouts=9)' --player 'gtp:it'\''s' --jobs nats://127.0.0.1:4222"
        );
        let leaves = r#"{"game":"tictactoe:6x6:4","first_wins":true,"rounds":5}"#;
        assert_eq!(
            command("leaves", leaves).unwrap(),
            "papan solve tictactoe:6x6:4 --jobs nats://127.0.0.1:4222"
        );
        assert_eq!(
            command("self-play", r#"{"depth":4,"solve":14,"seed":1}"#).unwrap(),
            "papan-train play --out games.bin --games 100000 --depth 4 --solve 14 --seed 1 \
             --jobs nats://127.0.0.1:4222"
        );
        assert_eq!(command("analysis", "{}"), None);
        assert_eq!(command("games", "not JSON"), None);
    }
}
