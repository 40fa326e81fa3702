//! Load generator for `papan serve` on this machine.
//!
//! ```text
//! cargo bench -p papan-web --bench load -- moves   http://127.0.0.1:7272 [SECONDS] [CLIENTS]
//! cargo bench -p papan-web --bench load -- pages   http://127.0.0.1:7272 [SECONDS] [CLIENTS]
//! cargo bench -p papan-web --bench load -- streams http://127.0.0.1:7272 [SECONDS] [STREAMS]
//! ```
//!
//! The server needs `--connections-per-address`, `--streams-per-address`,
//! `--reads-per-second` and `--changes-per-second` far above their defaults, and a raised
//! limit of open files on both sides. `moves` plays tic-tac-toe and counts acknowledged moves;
//! `pages` requests the page of a game; `streams` opens event streams of one game, plays in it,
//! and measures the delay of the events.

mod client;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::{Client, Failure, percentiles};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// A draw that no side wins early: nine moves for one game.
const MOVES: [&str; 9] = ["5", "1", "3", "7", "4", "6", "2", "8", "9"];

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = client::arguments().collect();
    let [what, address, rest @ ..] = arguments.as_slice() else {
        return Err("give moves, pages or streams, and http://127.0.0.1:PORT".into());
    };
    let address: SocketAddr = address
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .parse()?;
    if !address.ip().is_loopback() {
        return Err("load is for this machine only: give a loopback address".into());
    }
    let number = |place: usize, default: u64| -> Result<u64, Failure> {
        Ok(rest.get(place).map_or(Ok(default), |text| text.parse())?)
    };
    let time = Duration::from_secs(number(0, 10)?.min(120));
    match what.as_str() {
        "moves" => moves(address, time, number(1, 64)?.min(1000)).await,
        "pages" => pages(address, time, number(1, 32)?.min(1000)).await,
        "streams" => streams(address, time, number(1, 2000)?.min(10_000)).await,
        other => Err(format!("{other} is not one of moves, pages, streams").into()),
    }
}

async fn play(client: &mut Client, game: &str, mv: &str) -> Result<(), Failure> {
    let path = format!("{game}/moves");
    let body = format!("{{\"move\":\"{mv}\"}}");
    match client
        .request("POST", &path, "application/json", &body)
        .await?
    {
        200 => Ok(()),
        status => Err(format!("{status}: {}", String::from_utf8_lossy(&client.body)).into()),
    }
}

/// Prints throughput and latency percentiles.
fn report(what: &str, mut took: Vec<Duration>, time: Duration) {
    let [p50, p99, longest] = percentiles(&mut took, [0.5, 0.99, 1.0]);
    let rate = took.len() as f64 / time.as_secs_f64();
    println!(
        "{what}: {rate:.0} per second ({} in {:.1} s), p50 {p50:.1} ms, p99 {p99:.1} ms, longest {longest:.1} ms",
        took.len(),
        time.as_secs_f64(),
    );
}

/// Runs clients concurrently and collects the latencies of their requests.
async fn concurrently<F>(clients: u64, client: impl Fn() -> F) -> Result<Vec<Duration>, Failure>
where
    F: Future<Output = Result<Vec<Duration>, Failure>> + Send + 'static,
{
    let tasks: Vec<_> = (0..clients).map(|_| tokio::spawn(client())).collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await??);
    }
    Ok(all)
}

async fn moves(address: SocketAddr, time: Duration, clients: u64) -> Result<(), Failure> {
    let began = Instant::now();
    let took = concurrently(clients, || async move {
        let mut client = Client::connect(Ipv4Addr::LOCALHOST, address).await?;
        let mut took = Vec::new();
        while began.elapsed() < time {
            let game = client.new_game(&json!({ "game": "tictactoe" })).await?;
            for mv in MOVES {
                let start = Instant::now();
                play(&mut client, &game, mv).await?;
                took.push(start.elapsed());
            }
        }
        Ok(took)
    })
    .await?;
    report("acknowledged moves", took, began.elapsed());
    Ok(())
}

async fn pages(address: SocketAddr, time: Duration, clients: u64) -> Result<(), Failure> {
    let mut client = Client::connect(Ipv4Addr::LOCALHOST, address).await?;
    let game = client.new_game(&json!({ "game": "tictactoe" })).await?;
    for mv in &MOVES[..4] {
        play(&mut client, &game, mv).await?;
    }
    let path = Arc::new(game);
    let began = Instant::now();
    let took = concurrently(clients, || {
        let path = Arc::clone(&path);
        async move {
            let mut client = Client::connect(Ipv4Addr::LOCALHOST, address).await?;
            let mut took = Vec::new();
            while began.elapsed() < time {
                let start = Instant::now();
                let status = client.request("GET", &path, "text/html", "").await?;
                if status != 200 {
                    return Err(format!("{status} for a page").into());
                }
                took.push(start.elapsed());
            }
            Ok(took)
        }
    })
    .await?;
    report("game pages", took, began.elapsed());
    Ok(())
}

async fn streams(address: SocketAddr, time: Duration, streams: u64) -> Result<(), Failure> {
    let mut player = Client::connect(Ipv4Addr::LOCALHOST, address).await?;
    let game = player
        .new_game(&json!({ "game": "tictactoe:20x20:19" }))
        .await?;
    let (seen, mut heard) = mpsc::unbounded_channel::<(u64, Instant)>();
    for _ in 0..streams {
        let mut stream = TcpStream::connect(address).await?;
        let request = format!("GET {game}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut stream = BufReader::with_capacity(2048, stream);
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        if !line.contains(" 200 ") {
            return Err(format!("no stream: {line}").into());
        }
        let seen = seen.clone();
        tokio::spawn(async move {
            let mut bytes = Vec::new();
            loop {
                bytes.clear();
                match stream.read_until(b'\n', &mut bytes).await {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                if let Some(id) = bytes.strip_prefix(b"id: ") {
                    let id = std::str::from_utf8(id)
                        .ok()
                        .and_then(|id| id.trim().parse().ok());
                    let sent = seen.send((id.unwrap_or(0), Instant::now()));
                    if sent.is_err() {
                        return;
                    }
                }
            }
        });
    }
    drop(seen);
    println!("{streams} streams are open");
    let rounds = (time.as_millis() / 500).clamp(1, 300) as u64;
    let mut took = Vec::new();
    for round in 1..=rounds {
        let start = Instant::now();
        play(&mut player, &game, &round.to_string()).await?;
        for _ in 0..streams {
            let (version, at) = tokio::time::timeout(Duration::from_secs(5), heard.recv())
                .await?
                .ok_or("a stream ended")?;
            if version != round {
                return Err(format!("received version {version}, not {round}").into());
            }
            took.push(at.saturating_duration_since(start));
        }
        tokio::time::sleep(Duration::from_millis(500).saturating_sub(start.elapsed())).await;
    }
    report(
        "events, from the request of their move",
        took,
        Duration::from_millis(500) * rounds as u32,
    );
    Ok(())
}
