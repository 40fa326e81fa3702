//! Denial-of-service test: one address attacks, another plays. Measures the victim's latency.
//!
//! ```text
//! cargo xtask attack [SECONDS] [PART OF AN ATTACK'S NAME]
//! ```
//!
//! Starts a server with the default limits. The attacker uses 127.0.0.2, the victim 127.0.0.1.
//! The victim plays tic-tac-toe against `perfect`, before the attack and under it. Printed are
//! the times until a move is acknowledged (stored) and until the opponent has replied, and the
//! peak memory of the server. The exit code is 1 if under an attack the 95th percentile until a move
//! is acknowledged exceeds 50 ms.

mod client;
mod own_server;

use std::borrow::Cow;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use client::{Client, EventStream, Failure, percentiles};
use own_server::{OwnServer, be_server, folder_to_serve};
use papan_web::Settings;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

const VICTIM: Ipv4Addr = Ipv4Addr::LOCALHOST;
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Connections of a flood.
const CONNECTIONS: u64 = 100;
/// Events of the game with a long history, as far as the server allows.
const LONG_HISTORY: usize = 4000;
/// Pause between two moves of the victim: below the limit on changes.
const PAUSE: Duration = Duration::from_millis(60);
/// Time after which the token buckets of an address are full.
const REFILL: Duration = Duration::from_secs(10);
/// Maximum 95th percentile of the time until a move is acknowledged under an attack, in ms.
const MAX_P95: f64 = 50.0;
/// Pause between two bytes on a held connection.
const HELD_PAUSE: Duration = Duration::from_secs(1);
/// A reply that takes longer fails the test.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// Latencies of the victim's moves.
#[derive(Default)]
struct Latencies {
    /// Until the move was stored.
    acknowledged: Vec<Duration>,
    /// Until the opponent had replied.
    replied: Vec<Duration>,
}

/// Plays until `stop` is set.
async fn victim(server: SocketAddr, stop: &AtomicBool) -> Result<Latencies, Failure> {
    let mut client = Client::connect(VICTIM, server).await?;
    let mut latencies = Latencies::default();
    while !stop.load(Ordering::Relaxed) {
        let new_game = json!({ "game": "tictactoe", "second": "perfect" });
        let game = client.new_game(&new_game).await?;
        let mut events = EventStream::open(VICTIM, server, &game).await?;
        let (_, mut state) = client.json("GET", &game, &Value::Null).await?;
        while let Some(mv) = state["legal"][0]
            .as_str()
            .filter(|_| state["result"].is_null())
        {
            let start = Instant::now();
            let body = json!({ "move": mv });
            let path = format!("{game}/moves");
            (_, state) = client.json("POST", &path, &body).await?;
            latencies.acknowledged.push(start.elapsed());
            if state["result"].is_null() {
                let version = state["version"].as_u64().unwrap_or(0) + 1;
                let reply = events.wait_for(version);
                state = tokio::time::timeout(REPLY_TIMEOUT, reply).await??;
                latencies.replied.push(start.elapsed());
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(latencies)
}

/// Plays for some seconds on a thread of its own, so that it does not wait for the attackers.
async fn measure(server: SocketAddr, seconds: u64) -> Result<Latencies, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(victim(server, &stopped))
    });
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    stop.store(true, Ordering::Relaxed);
    let joined = tokio::task::spawn_blocking(|| thread.join()).await?;
    joined.map_err(|_| "the victim panicked")?
}

/// A request of the attacker.
struct AttackRequest {
    method: &'static str,
    path: String,
    /// JSON, or nothing.
    body: Cow<'static, str>,
}

impl AttackRequest {
    fn get(path: impl Into<String>) -> Self {
        Self {
            method: "GET",
            path: path.into(),
            body: "".into(),
        }
    }

    fn post(path: &str, body: impl Into<Cow<'static, str>>) -> Self {
        Self {
            method: "POST",
            path: path.into(),
            body: body.into(),
        }
    }

    fn new_game(body: &Value) -> Self {
        Self::post("/games", body.to_string())
    }
}

/// A game between two strategies that search.
fn exhibition(number: u64) -> AttackRequest {
    AttackRequest::new_game(&json!({
        "game": "tictactoe:15x15:5",
        "first": format!("mcts(playouts={})", 20_000 + number),
        "second": "mcts(playouts=50000)",
    }))
}

/// A page as large as a URL allows.
fn expensive_page(number: u64) -> AttackRequest {
    let moves: Vec<String> = (0..190)
        .map(|cell| ((cell * 7 + number) % 400 + 1).to_string())
        .collect();
    let others: Vec<String> = (1..60)
        .map(|cell| format!("{}+{}", cell, cell + 100))
        .collect();
    let (moves, others) = (moves.join("+"), others.join("."));
    AttackRequest::get(format!(
        "/analysis?game=tictactoe:20x20:19&moves={moves}&ply=100&others={others}"
    ))
}

/// A step far into the run of a search.
fn trace(number: u64) -> AttackRequest {
    AttackRequest::get(format!(
        "/trace?game=tictactoe:4x4&strategy=alphabeta(depth=6)&step={}",
        5_000 + number
    ))
}

/// Engines with hash tables of many sizes.
fn hash_tables(number: u64) -> AttackRequest {
    AttackRequest::new_game(&json!({
        "game": "othello",
        "first": format!("engine(hash={})", 1 + number % 64),
        "second": format!("engine(hash={})", 64 - number % 64),
    }))
}

/// Strategies that use memory besides their hash table.
fn solvers(number: u64) -> AttackRequest {
    let (game, first, second) = match number % 3 {
        0 => ("tictactoe:15x15:5", "engine", "engine(hash=64)"),
        1 => ("tictactoe:20x20:5", "mcts", "engine(hash=32)"),
        _ => ("tictactoe:4x4", "perfect", "perfect"),
    };
    AttackRequest::new_game(&json!({ "game": game, "first": first, "second": second }))
}

/// A proof that takes longer than the server allows; each is another one.
fn long_proof(number: u64) -> AttackRequest {
    let playouts = 1000 + number % 1000;
    AttackRequest::get(format!(
        "/proof?game=tictactoe:4x4&strategy=mcts(playouts={playouts},seed=1)&as=first"
    ))
}

/// A proof that the server refuses at once, because the game has too many positions; each is
/// another one.
fn refused_proof(number: u64) -> AttackRequest {
    let seed = number % 1000;
    AttackRequest::get(format!(
        "/proof?game=tictactoe:15x15:5&strategy=random(seed={seed})&as=first"
    ))
}

/// A challenge in the lobby.
fn challenge(_: u64) -> AttackRequest {
    AttackRequest::new_game(&json!({ "game": "tictactoe", "seat": "first", "listed": true }))
}

/// A link to another device, which the server keeps for ten minutes.
fn identity_link(_: u64) -> AttackRequest {
    AttackRequest::post("/me/link", "{}")
}

/// A body that the server does not read, because the address has no tokens left.
fn refused_body(_: u64) -> AttackRequest {
    // Encoded once: the attacker shares the processor with the server.
    static BODY: LazyLock<String> =
        LazyLock::new(|| json!({ "text": "x".repeat(60_000) }).to_string());
    AttackRequest::post("/import", BODY.as_str())
}

/// A text that is tried as every kind of file.
fn import(number: u64) -> AttackRequest {
    let text = json!({ "text": format!("x{number}") });
    AttackRequest::post("/import", text.to_string())
}

/// Repeats requests on many connections. Games that were created are requested as well, so
/// that they continue.
fn flood(
    server: SocketAddr,
    connections: u64,
    next: impl Fn(u64) -> AttackRequest + Clone + Send + Sync + 'static,
) -> JoinSet<()> {
    let counter = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
        let (counter, next) = (Arc::clone(&counter), next.clone());
        tasks.spawn(async move {
            let mut games: Vec<String> = Vec::new();
            loop {
                if let Ok(mut client) = Client::connect(ATTACKER, server).await {
                    // Ends when the server closes the connection.
                    let _ = repeat(&mut client, &mut games, &counter, &next).await;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
    }
    tasks
}

async fn repeat(
    client: &mut Client,
    games: &mut Vec<String>,
    counter: &AtomicU64,
    next: &impl Fn(u64) -> AttackRequest,
) -> Result<(), Failure> {
    loop {
        let AttackRequest { method, path, body } = next(counter.fetch_add(1, Ordering::Relaxed));
        if method == "GET" {
            client.request(method, &path, "text/html", "").await?;
        } else {
            let json = "application/json";
            client.request(method, &path, json, &body).await?;
            let created: Value = serde_json::from_slice(&client.body).unwrap_or_default();
            games.extend(created["id"].as_str().map(|id| format!("/games/{id}")));
        }
        for game in games.iter().rev().take(20) {
            client.request("GET", game, "application/json", "").await?;
        }
    }
}

/// Holds twice the connections that an address may have, on which the head of a request arrives
/// byte by byte and never ends (slowloris).
fn held_connections(server: SocketAddr) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for _ in 0..2 * Settings::default().connections_per_address {
        tasks.spawn(async move {
            loop {
                if let Ok(mut client) = Client::connect(ATTACKER, server).await {
                    let stream = client.stream.get_mut();
                    let mut sent = stream
                        .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ")
                        .await;
                    while sent.is_ok() {
                        tokio::time::sleep(HELD_PAUSE).await;
                        sent = stream.write_all(b"x").await;
                    }
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
    }
    tasks
}

/// Creates a game of the attacker with some moves.
async fn attackers_game(server: SocketAddr) -> Result<String, Failure> {
    let mut client = Client::connect(ATTACKER, server).await?;
    let game = client
        .new_game(&json!({ "game": "tictactoe:15x15:5" }))
        .await?;
    for mv in 1..=20 {
        let body = json!({ "move": mv.to_string() });
        client.json("POST", &format!("{game}/moves"), &body).await?;
    }
    Ok(game)
}

/// Opens and closes event streams of a game with a long history.
async fn long_histories(server: SocketAddr) -> Result<JoinSet<()>, Failure> {
    let mut player = Client::connect(ATTACKER, server).await?;
    let game = player
        .new_game(&json!({ "game": "tictactoe:20x20:19" }))
        .await?;
    let (moves, take_back) = (format!("{game}/moves"), format!("{game}/take-back"));
    for _ in 0..LONG_HISTORY / 2 {
        let (moved, _) = player.json("POST", &moves, &json!({ "move": "1" })).await?;
        if moved != 200 {
            break;
        }
        let (taken_back, _) = player.json("POST", &take_back, &json!({})).await?;
        if taken_back != 200 {
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
                let mut chunk = [0; 4096];
                let read = client.stream.read(&mut chunk);
                let _ = tokio::time::timeout(Duration::from_millis(200), read).await;
            }
        });
    }
    Ok(tasks)
}

/// Watches live analyses of different positions, as many as an address may, and reads all of them.
fn live_analyses(server: SocketAddr) -> JoinSet<()> {
    const OPENINGS: [&str; 4] = [
        "othello&moves=f5d6c3d3c4",
        "gomoku&moves=h8+i9+h10+h9",
        "tictactoe:4x4x4&moves=1+64",
        "renju&moves=h8+h9+i10",
    ];
    let mut tasks = JoinSet::new();
    for number in 0..Settings::default().streams_per_address {
        let game = OPENINGS[number % OPENINGS.len()];
        tasks.spawn(async move {
            loop {
                if let Ok(mut client) = Client::connect(ATTACKER, server).await {
                    let request = format!(
                        "GET /analysis/live?game={game} HTTP/1.1\r\nhost: localhost\r\n\r\n"
                    );
                    let _ = client.stream.get_mut().write_all(request.as_bytes()).await;
                    let mut chunk = [0; 4096];
                    // Until the server ends the stream.
                    while client
                        .stream
                        .read(&mut chunk)
                        .await
                        .is_ok_and(|count| count > 0)
                    {}
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
    }
    tasks
}

#[tokio::main]
async fn main() -> Result<ExitCode, Failure> {
    if let Some(folder) = folder_to_serve() {
        be_server(&folder, Settings::default()).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut arguments = client::arguments();
    let seconds: u64 = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let seconds = seconds.min(120);
    let filter = arguments.next().unwrap_or_default();
    let folder = tempfile::tempdir()?;
    let server = OwnServer::start(folder.path())?;
    let address = server.address;
    println!(
        "| attack | moves | acknowledged p50 (ms) | p95 | p99 | replied p50 (ms) | p95 | p99 | memory (MiB) |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut too_slow = Vec::new();
    for attack in [
        "none",
        "home page",
        "game page",
        "board.svg",
        "board.png",
        "lobby page",
        "expensive pages",
        "puzzle pages",
        "traces",
        "proofs",
        "refused proofs",
        "challenges",
        "identity links",
        "refused bodies",
        "imports",
        "exhibition games",
        "long histories",
        "hash tables",
        "solvers",
        "live analyses",
        "held connections",
    ] {
        if !attack.contains(&filter) && attack != "none" {
            continue;
        }
        if attack != "none" {
            // Until the attacker's buckets are full again.
            tokio::time::sleep(REFILL).await;
        }
        let attackers = match attack {
            "home page" => flood(address, CONNECTIONS, |_| AttackRequest::get("/")),
            "game page" => {
                let game = attackers_game(address).await?;
                flood(address, CONNECTIONS, move |_| AttackRequest::get(&game))
            }
            "board.svg" => {
                let path = format!("{}/board.svg", attackers_game(address).await?);
                flood(address, CONNECTIONS, move |_| AttackRequest::get(&path))
            }
            "board.png" => {
                let path = format!("{}/board.png", attackers_game(address).await?);
                flood(address, CONNECTIONS, move |_| AttackRequest::get(&path))
            }
            "lobby page" => flood(address, CONNECTIONS, |_| AttackRequest::get("/lobby")),
            "expensive pages" => flood(address, CONNECTIONS, expensive_page),
            "puzzle pages" => flood(address, CONNECTIONS, |_| AttackRequest::get("/puzzles")),
            "traces" => flood(address, CONNECTIONS, trace),
            "proofs" => flood(address, CONNECTIONS, long_proof),
            "refused proofs" => flood(address, CONNECTIONS, refused_proof),
            "challenges" => flood(address, CONNECTIONS, challenge),
            "identity links" => flood(address, CONNECTIONS, identity_link),
            "refused bodies" => flood(address, CONNECTIONS, refused_body),
            "imports" => flood(address, CONNECTIONS, import),
            "exhibition games" => flood(address, 60, exhibition),
            "long histories" => long_histories(address).await?,
            "hash tables" => flood(address, 60, hash_tables),
            "solvers" => flood(address, 60, solvers),
            "live analyses" => live_analyses(address),
            "held connections" => held_connections(address),
            _ => JoinSet::new(),
        };
        tokio::time::sleep(Duration::from_secs(2)).await;
        let mut latencies = measure(address, seconds).await?;
        drop(attackers);
        let moves = latencies.acknowledged.len();
        let times = [&mut latencies.acknowledged, &mut latencies.replied]
            .map(|times| percentiles(times, [0.5, 0.95, 0.99]));
        let [acknowledged, replied] = times.map(|times| times.map(|time| format!("{time:.1}")));
        if attack != "none" && times[0][1] > MAX_P95 {
            too_slow.push(attack);
        }
        let memory = server.peak_memory()?;
        println!(
            "| {attack} | {moves} | {} | {} | {memory} |",
            acknowledged.join(" | "),
            replied.join(" | ")
        );
    }
    if too_slow.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let attacks = too_slow.join(", ");
    eprintln!("the 95th percentile of an acknowledged move exceeds {MAX_P95} ms under: {attacks}");
    Ok(ExitCode::FAILURE)
}
