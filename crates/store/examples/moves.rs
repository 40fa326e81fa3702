//! Benchmark: acknowledged moves per second, and the latency of a move at another server.
//!
//! ```text
//! cargo run --release -p papan-store --example moves -- [SECONDS] [GAMES]
//! ```
//!
//! Alternates between a PostgreSQL server of its own with `synchronous_commit=on` and `fsync=on`,
//! and a SQLite file, with many games at once. Then one server writes at a moderate rate and
//! another one listens.

#[path = "../tests/postgres/mod.rs"]
mod postgres;

use std::sync::Arc;
use std::time::{Duration, Instant};

use papan_store::{
    Appended, GameStore, NewGame, News, PostgresGames, SqliteGames, Standing, StoredEvent,
};
use postgres::Postgres;

const ROUNDS: usize = 3;
/// A move as a server writes it.
const MOVE: &str = r#"{"kind":"moved","by":"first","move":"5","charged":1234}"#;

fn new_game(id: &str) -> NewGame {
    NewGame::new(id, "tictactoe", ["human".into(), "human".into()])
}

/// Returns the median, the 99th percentile and the maximum, in milliseconds.
fn percentiles(took: &mut [Duration]) -> [f64; 3] {
    took.sort();
    let last = took.len().saturating_sub(1);
    [last / 2, last * 99 / 100, last].map(|place| {
        let took = took.get(place).copied().unwrap_or_default();
        took.as_secs_f64() * 1000.0
    })
}

async fn moves(what: &str, games: Arc<dyn GameStore>, time: Duration, count: usize, round: usize) {
    let began = Instant::now();
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let games = Arc::clone(&games);
            tokio::spawn(async move {
                let id = format!("{round}-{number}");
                games.create(new_game(&id)).await.unwrap();
                let mut took = Vec::new();
                for version in 1.. {
                    if began.elapsed() > time {
                        break;
                    }
                    let asked = Instant::now();
                    let event = StoredEvent {
                        key: Some(format!("first:{version}")),
                        ..StoredEvent::new(version, MOVE)
                    };
                    let appended = games.append(&id, event, Standing::default()).await;
                    assert_eq!(appended.unwrap(), Appended::Done);
                    took.push(asked.elapsed());
                }
                took
            })
        })
        .collect();
    let mut took = Vec::new();
    for task in tasks {
        took.extend(task.await.unwrap());
    }
    let rate = took.len() as f64 / began.elapsed().as_secs_f64();
    let [half, most, longest] = percentiles(&mut took);
    println!(
        "{what}: {rate:.0} moves a second, p50 {half:.1} ms, p99 {most:.1} ms, longest {longest:.1} ms"
    );
}

/// Measures the time from a write to its notification at another server.
async fn heard(url: &str, time: Duration) {
    let (one, other) = (
        PostgresGames::open(url).await.unwrap(),
        PostgresGames::open(url).await.unwrap(),
    );
    one.create(new_game("heard")).await.unwrap();
    let mut news = other.news().unwrap();
    let began = Instant::now();
    let mut took = Vec::new();
    for wanted in 1.. {
        if began.elapsed() > time {
            break;
        }
        let asked = Instant::now();
        let event = StoredEvent::new(wanted, MOVE);
        let appended = one.append("heard", event, Standing::default()).await;
        assert_eq!(appended.unwrap(), Appended::Done);
        loop {
            match news.recv().await {
                Some(News::Changed { version, .. }) if version == wanted => break,
                // The connection is new: the server reads everything again.
                Some(News::Missed) => break,
                Some(_) => {}
                None => panic!("the news ended"),
            }
        }
        // As a server does, read the game.
        assert!(other.load("heard").await.unwrap().is_some());
        took.push(asked.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let count = took.len();
    let [half, most, longest] = percentiles(&mut took);
    println!(
        "heard through another server, {count} times: p50 {half:.1} ms, p99 {most:.1} ms, longest {longest:.1} ms"
    );
}

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("a number"));
    let time = Duration::from_secs(numbers.next().unwrap_or(10));
    let count = numbers.next().unwrap_or(64) as usize;
    let postgres = Postgres::with(&["listen_addresses=", "max_connections=100"]);
    let url = postgres.database("moves");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite");
    let sqlite: Arc<dyn GameStore> = Arc::new(SqliteGames::open(&file).await.unwrap());
    let shared: Arc<dyn GameStore> = Arc::new(PostgresGames::open(&url).await.unwrap());
    for round in 0..ROUNDS {
        moves("PostgreSQL", Arc::clone(&shared), time, count, round).await;
        moves("SQLite    ", Arc::clone(&sqlite), time, count, round).await;
    }
    heard(&url, time).await;
}
