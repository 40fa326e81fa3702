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

/// Returns the command that began a group; analyses are submitted again by their servers.
fn command(kind: &str, body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |field: &str| body[field].as_str().unwrap_or("GAME").to_owned();
    match kind {
        "games" => {
            let players = body["players"].as_array();
            let players = players.into_iter().flatten().filter_map(Value::as_str);
            let players: Vec<String> = players.map(|name| format!("--player '{name}'")).collect();
            Some(format!(
                "papan arena {} {} … --jobs URL",
                text("game"),
                players.join(" ")
            ))
        }
        "leaves" => Some(format!("papan solve {} … --jobs URL", text("game"))),
        "self-play" => Some("papan-train play … --jobs URL".into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_named_by_their_groups() {
        let games = r#"{"game":"othello","players":["engine","mcts(playouts=9)"]}"#;
        assert_eq!(
            command("games", games).unwrap(),
            "papan arena othello --player 'engine' --player 'mcts(playouts=9)' … --jobs URL"
        );
        let leaves = r#"{"game":"tictactoe:6x6:4","first_wins":true,"rounds":5}"#;
        assert_eq!(
            command("leaves", leaves).unwrap(),
            "papan solve tictactoe:6x6:4 … --jobs URL"
        );
        assert_eq!(command("analysis", "{}"), None);
        assert!(command("games", "not JSON").is_some());
    }
}
