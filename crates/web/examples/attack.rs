//! One address does its worst, another plays: what the other has to wait.
//!
//! ```text
//! cargo run --release -p papan-web --example attack -- [SECONDS]
//! ```
//!
//! It starts a server of its own with the default limits. The attacker comes from
//! 127.0.0.2 and the victim from 127.0.0.1. In turn the attacker begins as many games
//! to watch between searching players as it may, asks for the most expensive pages on
//! a hundred connections, follows a game with a long history on 31 streams over and
//! over, and seats engines of many hash sizes. The victim plays tic-tac-toe against
//! `perfect` meanwhile; printed are the times until a move is acknowledged and until
//! it is answered, and the most memory that the server took so far.

mod client;
mod own_server;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::{Client, Failure, percentiles};
use own_server::{OwnServer, be_server, folder_to_serve};
use papan_web::Settings;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

const VICTIM: Ipv4Addr = Ipv4Addr::LOCALHOST;
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Events of the game with a long history, as far as the server lets it grow.
const LONG: usize = 4000;

/// The times of the victim's moves.
#[derive(Default)]
struct Waited {
    /// Until they were on the server's disk.
    acknowledged: Vec<Duration>,
    /// Until the opponent had answered.
    answered: Vec<Duration>,
}

/// Plays until it is told to stop.
async fn victim(server: SocketAddr, stop: Arc<AtomicBool>) -> Result<Waited, Failure> {
    let mut client = Client::connect(VICTIM, server).await?;
    let mut waited = Waited::default();
    let moves_of = |state: &Value| state["moves"].as_array().map_or(0, Vec::len);
    while !stop.load(Ordering::Relaxed) {
        let new_game = json!({ "game": "tictactoe", "second": "perfect" });
        let game = client.new_game(&new_game).await?;
        let (_, mut state) = client.json("GET", &game, &Value::Null).await?;
        while let Some(mv) = state["legal"][0]
            .as_str()
            .filter(|_| state["result"].is_null())
        {
            let moves = moves_of(&state);
            let asked = Instant::now();
            let played = json!({ "move": mv });
            (_, state) = client
                .json("POST", &format!("{game}/moves"), &played)
                .await?;
            waited.acknowledged.push(asked.elapsed());
            while state["result"].is_null() && moves_of(&state) < moves + 2 {
                if asked.elapsed() > Duration::from_secs(60) {
                    return Err("the opponent has not moved for a minute".into());
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
                (_, state) = client.json("GET", &game, &Value::Null).await?;
            }
            waited.answered.push(asked.elapsed());
            if stop.load(Ordering::Relaxed) {
                break;
            }
            // A person thinks; and the server allows so many changes a second.
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
    Ok(waited)
}

/// What an attacker asks for on one of its connections.
struct Asked {
    method: &'static str,
    path: String,
    body: Value,
}

impl Asked {
    fn game(new_game: Value) -> Self {
        Self {
            method: "POST",
            path: "/games".into(),
            body: new_game,
        }
    }
}

/// A game to watch between two players who search.
fn watching(number: u64) -> Asked {
    Asked::game(json!({
        "game": "tictactoe:15x15:5",
        "first": format!("mcts(playouts={})", 20_000 + number),
        "second": "mcts(playouts=50000)",
    }))
}

/// A page that shows as much as an address can hold.
fn expensive_page(number: u64) -> Asked {
    let moves: Vec<String> = (0..190)
        .map(|cell| ((cell * 7 + number) % 400 + 1).to_string())
        .collect();
    let others: Vec<String> = (1..60)
        .map(|cell| format!("{}+{}", cell, cell + 100))
        .collect();
    let (moves, others) = (moves.join("+"), others.join("."));
    Asked {
        method: "GET",
        path: format!("/analysis?game=tictactoe:20x20:19&moves={moves}&ply=100&others={others}"),
        body: Value::Null,
    }
}

/// An engine on both seats, with hash tables of many sizes.
fn hashing(number: u64) -> Asked {
    Asked::game(json!({
        "game": "othello",
        "first": format!("engine(hash={})", 1 + number % 64),
        "second": format!("engine(hash={})", 64 - number % 64),
    }))
}

/// Players that remember something beside their hash table, on boards of many cells.
fn remembering(number: u64) -> Asked {
    let (game, first, second) = match number % 3 {
        0 => ("tictactoe:15x15:5", "engine", "engine(hash=64)"),
        1 => ("tictactoe:20x20:5", "mcts", "engine(hash=32)"),
        _ => ("tictactoe:4x4", "perfect", "perfect"),
    };
    Asked::game(json!({ "game": game, "first": first, "second": second }))
}

/// Asks over and over on so many connections; games that were begun are looked at,
/// so that they go on.
fn flood(server: SocketAddr, connections: u64, next: fn(u64) -> Asked) -> JoinSet<()> {
    let counter = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
        let counter = Arc::clone(&counter);
        tasks.spawn(async move {
            let mut games: Vec<String> = Vec::new();
            loop {
                if let Ok(mut client) = Client::connect(ATTACKER, server).await {
                    // It ends when the server hangs up.
                    let _ = pester(&mut client, &mut games, &counter, next).await;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
    }
    tasks
}

async fn pester(
    client: &mut Client,
    games: &mut Vec<String>,
    counter: &AtomicU64,
    next: fn(u64) -> Asked,
) -> Result<(), Failure> {
    loop {
        let Asked { method, path, body } = next(counter.fetch_add(1, Ordering::Relaxed));
        let status = match method {
            "GET" => client.ask(method, &path, "text/html", "").await?,
            _ => {
                let (status, made) = client.json(method, &path, &body).await?;
                games.extend(made["id"].as_str().map(|id| format!("/games/{id}")));
                status
            }
        };
        for game in games.iter().rev().take(20) {
            client.ask("GET", game, "application/json", "").await?;
        }
        if status == 429 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Follows a game with a long history from its beginning on many streams, over and
/// over.
async fn histories(server: SocketAddr) -> Result<JoinSet<()>, Failure> {
    let mut player = Client::connect(ATTACKER, server).await?;
    let game = player
        .new_game(&json!({ "game": "tictactoe:20x20:19" }))
        .await?;
    let (moves, back) = (format!("{game}/moves"), format!("{game}/take-back"));
    for _ in 0..LONG / 2 {
        player.json("POST", &moves, &json!({ "move": "1" })).await?;
        let (status, _) = player.json("POST", &back, &json!({})).await?;
        if status != 200 {
            break;
        }
    }
    let mut tasks = JoinSet::new();
    for _ in 0..31 {
        let game = game.clone();
        tasks.spawn(async move {
            loop {
                let Ok(mut client) = Client::connect(ATTACKER, server).await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let request =
                    format!("GET {game}/events?after=0 HTTP/1.1\r\nhost: localhost\r\n\r\n");
                let _ = client.stream.get_mut().write_all(request.as_bytes()).await;
                let mut some = [0; 4096];
                let read = client.stream.read(&mut some);
                let _ = tokio::time::timeout(Duration::from_millis(200), read).await;
            }
        });
    }
    Ok(tasks)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    if let Some(folder) = folder_to_serve() {
        return be_server(&folder, Settings::default()).await;
    }
    let seconds: u64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 20,
    };
    let seconds = seconds.min(120);
    let folder = tempfile::tempdir()?;
    let server = OwnServer::start(folder.path())?;
    let at = server.address;
    println!(
        "| attack | moves | acknowledged p50, p99, longest (ms) | answered p50, p99, longest (ms) | memory (MiB) |"
    );
    println!("|---|---|---|---|---|");
    for what in [
        "none",
        "games to watch",
        "expensive pages",
        "long histories",
        "hash tables",
        "players that remember",
    ] {
        let attackers = match what {
            "games to watch" => flood(at, 60, watching),
            "expensive pages" => flood(at, 100, expensive_page),
            "long histories" => histories(at).await?,
            "hash tables" => flood(at, 60, hashing),
            "players that remember" => flood(at, 60, remembering),
            _ => JoinSet::new(),
        };
        tokio::time::sleep(Duration::from_secs(2)).await;
        let stop = Arc::new(AtomicBool::new(false));
        // A thread of its own: it waits for the server, and not for the attackers' turn.
        let told = Arc::clone(&stop);
        let playing = std::thread::spawn(move || {
            let alone = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            alone.block_on(victim(at, told))
        });
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        stop.store(true, Ordering::Relaxed);
        let playing = tokio::task::spawn_blocking(|| playing.join());
        let mut waited = playing.await?.map_err(|_| "the victim broke down")??;
        drop(attackers);
        let moves = waited.acknowledged.len();
        let [acknowledged, answered] =
            [&mut waited.acknowledged, &mut waited.answered].map(|took| {
                percentiles(took)
                    .map(|part| format!("{part:.0}"))
                    .join(", ")
            });
        let memory = server.most_memory()?;
        println!("| {what} | {moves} | {acknowledged} | {answered} | {memory} |");
    }
    Ok(())
}
