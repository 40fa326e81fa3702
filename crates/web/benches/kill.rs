//! Crash test: kills a server under load and checks that every acknowledged move is stored.
//!
//! ```text
//! cargo bench -p papan-web --bench kill -- [KILLS]
//! ```
//!
//! Sixteen clients send moves. After some hundred acknowledged moves the server is killed
//! (SIGKILL) and restarted on the same database, and the games of this round are compared; at
//! the end all games are.

mod client;
mod own_server;

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use client::{Client, Failure, percentiles};
use own_server::{OwnServer, be_server, folder_to_serve};
use papan_web::Settings;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Concurrent clients.
const PLAYERS: usize = 16;

/// Acknowledged moves by game, and their latencies.
#[derive(Default)]
struct Acknowledged {
    games: HashMap<String, Vec<String>>,
    took: Vec<Duration>,
}

/// Plays both sides of games on a large board until the server dies.
async fn player(server: SocketAddr, acknowledged: Arc<Mutex<Acknowledged>>) -> Result<(), Failure> {
    let mut client = Client::connect(Ipv4Addr::LOCALHOST, server).await?;
    loop {
        let game = client
            .new_game(&json!({ "game": "tictactoe:7x7:7" }))
            .await?;
        // Row by row both players alternate, so no line is completed.
        for cell in 1..=40 {
            let mv = cell.to_string();
            let start = Instant::now();
            let played = json!({ "move": mv });
            let (status, state) = client
                .json("POST", &format!("{game}/moves"), &played)
                .await?;
            if status != 200 {
                return Err(format!("{status}: {state}").into());
            }
            let mut acknowledged = acknowledged.lock();
            acknowledged.took.push(start.elapsed());
            acknowledged.games.entry(game.clone()).or_default().push(mv);
        }
    }
}

/// Returns the number of acknowledged moves that are not stored.
async fn missing(
    server: SocketAddr,
    games: &HashMap<String, Vec<String>>,
) -> Result<usize, Failure> {
    let mut client = Client::connect(Ipv4Addr::LOCALHOST, server).await?;
    let mut missing = 0;
    for (game, moves) in games {
        let (_, state) = client.json("GET", game, &Value::Null).await?;
        let kept = state["moves"].as_array().map_or(&[][..], Vec::as_slice);
        // One more may be stored: killed between commit and response.
        let lost = (0..moves.len())
            .filter(|at| kept.get(*at).and_then(Value::as_str) != Some(moves[*at].as_str()));
        for at in lost {
            println!("{game}: move {} ({}) is lost", at + 1, moves[at]);
            missing += 1;
        }
    }
    Ok(missing)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    if let Some(folder) = folder_to_serve() {
        let open = Settings {
            changes_per_second: 1e9,
            ..Settings::default()
        };
        return be_server(&folder, open).await;
    }
    let kills: usize = client::arguments()
        .next()
        .map_or(Ok(100), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let (mut all, mut took) = (HashMap::new(), Vec::new());
    let (mut lost, mut memory) = (0, 0);
    let mut server = OwnServer::start(folder.path())?;
    for kill in 1..=kills {
        let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));
        let mut players = JoinSet::new();
        for _ in 0..PLAYERS {
            players.spawn(player(server.address, Arc::clone(&acknowledged)));
        }
        // A different moment in every round.
        let enough = 200 + kill * 37 % 400;
        while acknowledged.lock().took.len() < enough {
            if let Some(ended) = players.try_join_next() {
                ended??;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        memory = memory.max(server.peak_memory()?);
        drop(server);
        // Clients end with a broken connection.
        while players.join_next().await.is_some() {}
        server = OwnServer::start(folder.path())?;
        let round = std::mem::take(&mut *acknowledged.lock());
        lost += missing(server.address, &round.games).await?;
        took.extend(round.took);
        all.extend(round.games);
    }
    lost += missing(server.address, &all).await?;
    let moves = took.len();
    let games = all.len();
    let [p50, p99, longest] = percentiles(&mut took, [0.5, 0.99, 1.0]);
    println!("{moves} acknowledged moves of {games} games over {kills} kills: {lost} lost");
    println!(
        "acknowledged in p50 {p50:.1} ms, p99 {p99:.1} ms, longest {longest:.1} ms; at most {memory} MiB"
    );
    match lost {
        0 => Ok(()),
        lost => Err(format!("{lost} acknowledged moves are lost").into()),
    }
}
