//! Kills a server in the middle of its work, again and again, and looks whether
//! everything that it acknowledged is there afterwards.
//!
//! ```text
//! cargo run --release -p papan-web --example kill -- [KILLS]
//! ```
//!
//! Sixteen players send moves to a server of this program's own. After some hundred
//! acknowledged moves it is killed (SIGKILL) and started again over the same
//! database, and every game whose moves were acknowledged since the last look is
//! read and compared; at the end all of them are, once more.

mod client;
mod own_server;

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::{Client, Failure, percentiles};
use own_server::{OwnServer, be_server, folder_to_serve};
use papan_web::Settings;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Who plays at the same time.
const PLAYERS: usize = 16;

/// What the server said it has: the moves of every game, and how long it took.
#[derive(Default)]
struct Acknowledged {
    games: HashMap<String, Vec<String>>,
    took: Vec<Duration>,
}

/// Plays games alone on a large board until the server dies.
async fn player(server: SocketAddr, acknowledged: Arc<Mutex<Acknowledged>>) -> Result<(), Failure> {
    let mut client = Client::connect(Ipv4Addr::LOCALHOST, server).await?;
    loop {
        let game = client
            .new_game(&json!({ "game": "tictactoe:7x7:7" }))
            .await?;
        // In order: both stand in turn in every row, and no diagonal is finished.
        for cell in 1..=40 {
            let mv = cell.to_string();
            let asked = Instant::now();
            let played = json!({ "move": mv });
            let (status, state) = client
                .json("POST", &format!("{game}/moves"), &played)
                .await?;
            if status != 200 {
                return Err(format!("{status}: {state}").into());
            }
            let mut acknowledged = acknowledged.lock().expect("no panic inside");
            acknowledged.took.push(asked.elapsed());
            acknowledged.games.entry(game.clone()).or_default().push(mv);
        }
    }
}

/// The moves that are missing of the games that were acknowledged.
async fn missing(
    server: SocketAddr,
    games: &HashMap<String, Vec<String>>,
) -> Result<usize, Failure> {
    let mut client = Client::connect(Ipv4Addr::LOCALHOST, server).await?;
    let mut missing = 0;
    for (game, moves) in games {
        let (_, state) = client.json("GET", game, &Value::Null).await?;
        let kept = state["moves"].as_array().map_or(&[][..], Vec::as_slice);
        // One more may be there: written, and killed before it was said.
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
    let kills: usize = std::env::args()
        .nth(1)
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
        // Never at the same point of what it does.
        let enough = 200 + kill * 37 % 400;
        while acknowledged.lock().expect("no panic inside").took.len() < enough {
            if let Some(ended) = players.try_join_next() {
                ended??;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        memory = memory.max(server.most_memory()?);
        drop(server);
        // A player ends with a broken connection: that is the point.
        while players.join_next().await.is_some() {}
        server = OwnServer::start(folder.path())?;
        let round = std::mem::take(&mut *acknowledged.lock().expect("no panic inside"));
        lost += missing(server.address, &round.games).await?;
        took.extend(round.took);
        all.extend(round.games);
    }
    lost += missing(server.address, &all).await?;
    let moves = took.len();
    let games = all.len();
    let [p50, p99, longest] = percentiles(&mut took);
    println!("{moves} acknowledged moves of {games} games over {kills} kills: {lost} lost");
    println!(
        "acknowledged in p50 {p50:.1} ms, p99 {p99:.1} ms, longest {longest:.1} ms; at most {memory} MiB"
    );
    match lost {
        0 => Ok(()),
        lost => Err(format!("{lost} acknowledged moves are lost").into()),
    }
}
