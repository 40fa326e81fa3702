//! One address does its worst, another plays: what the other has to wait.
//!
//! ```text
//! cargo run --release -p papan-web --example attack -- http://127.0.0.1:7272 [SECONDS] [PID]
//! ```
//!
//! The attacker comes from 127.0.0.2 and the victim from 127.0.0.1, on this machine
//! only and with the server's default limits. In turn the attacker begins as many
//! games to watch between searching players as it may, asks for the most expensive
//! pages on a hundred connections, reads a game's long history over and over, and
//! seats engines of many hash sizes. The victim plays tic-tac-toe against `perfect`
//! meanwhile; printed are the times until a move is acknowledged and until it is
//! answered. With the server's process id the most memory that it took is printed too.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const VICTIM: Ipv4Addr = Ipv4Addr::LOCALHOST;
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// One kept connection from an address of this machine.
struct Client {
    stream: BufReader<TcpStream>,
    cookie: String,
}

impl Client {
    async fn connect(from: Ipv4Addr, server: SocketAddr) -> Result<Self, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((from, 0)))?;
        let stream = socket.connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
            cookie: String::new(),
        })
    }

    /// The status and the body of an answer.
    async fn ask(
        &mut self,
        method: &str,
        path: &str,
        accept: &str,
        body: &str,
    ) -> Result<(u16, Vec<u8>), Failure> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\n\
             content-type: application/json\r\ncookie: {}\r\ncontent-length: {}\r\n\r\n{body}",
            self.cookie,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        let (mut status, mut length) = (0, 0);
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the server hung up".into());
            }
            let head = line.trim_end();
            if head.is_empty() {
                break;
            }
            if status == 0 {
                status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
            } else if let Some(value) = head.strip_prefix("content-length: ") {
                length = value.parse()?;
            } else if let Some(value) = head.strip_prefix("set-cookie: ") {
                self.cookie = value.split(';').next().unwrap_or("").into();
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok((status, body))
    }

    async fn json(&mut self, method: &str, path: &str, body: Value) -> Result<Value, Failure> {
        let sent = if method == "GET" {
            String::new()
        } else {
            body.to_string()
        };
        let (_, answer) = self.ask(method, path, "application/json", &sent).await?;
        Ok(serde_json::from_slice(&answer).unwrap_or(Value::Null))
    }
}

/// Plays until it is told to stop: times until moves were acknowledged, and answered.
async fn victim(
    server: SocketAddr,
    stop: Arc<AtomicBool>,
) -> Result<(Vec<Duration>, Vec<Duration>), Failure> {
    let mut client = Client::connect(VICTIM, server).await?;
    let (mut acknowledged, mut answered) = (Vec::new(), Vec::new());
    while !stop.load(Ordering::Relaxed) {
        let wish = json!({ "game": "tictactoe", "second": "perfect" });
        let made = client.json("POST", "/games", wish).await?;
        let Some(id) = made["id"].as_str() else {
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        };
        let game = format!("/games/{id}");
        let mut state = made.clone();
        while state["result"].is_null() && !stop.load(Ordering::Relaxed) {
            let Some(mv) = state["legal"][0].as_str() else {
                break;
            };
            let moves = state["moves"].as_array().map_or(0, Vec::len);
            let asked = Instant::now();
            let path = format!("{game}/moves");
            state = client.json("POST", &path, json!({ "move": mv })).await?;
            acknowledged.push(asked.elapsed());
            while state["result"].is_null()
                && state["moves"].as_array().map_or(0, Vec::len) < moves + 2
                && asked.elapsed() < Duration::from_secs(60)
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
                state = client.json("GET", &game, Value::Null).await?;
            }
            answered.push(asked.elapsed());
            // A person thinks; and the server allows so many changes a second.
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
    Ok((acknowledged, answered))
}

fn report(what: &str, mut took: Vec<Duration>) {
    took.sort();
    let part = |p: f64| match took.len() {
        0 => f64::NAN,
        many => took[((many - 1) as f64 * p) as usize].as_secs_f64() * 1000.0,
    };
    println!(
        "  {what}: {} moves, p50 {:.0} ms, p99 {:.0} ms, longest {:.0} ms",
        took.len(),
        part(0.5),
        part(0.99),
        part(1.0)
    );
}

/// What an attacker does on one of its connections, over and over.
type Attack = fn(u64) -> (&'static str, String, &'static str, String);

fn watch(number: u64) -> (&'static str, String, &'static str, String) {
    // Every ninth request begins a game; the others keep them watched.
    let wish = json!({
        "game": "tictactoe:15x15:5",
        "first": format!("mcts(playouts={})", 20_000 + number),
        "second": "mcts(playouts=50000)",
    });
    (
        "POST",
        "/games".into(),
        "application/json",
        wish.to_string(),
    )
}

fn pages(number: u64) -> (&'static str, String, &'static str, String) {
    let moves: Vec<String> = (0..190)
        .map(|cell| ((cell * 7 + number) % 400 + 1).to_string())
        .collect();
    let others: Vec<String> = (1..60)
        .map(|cell| format!("{}+{}", cell, cell + 100))
        .collect();
    let path = format!(
        "/analysis?game=tictactoe:20x20:19&moves={}&ply=100&others={}",
        moves.join("+"),
        others.join(".")
    );
    ("GET", path, "text/html", String::new())
}

fn engines(number: u64) -> (&'static str, String, &'static str, String) {
    let wish = json!({
        "game": "othello",
        "first": format!("engine(hash={})", 1 + number % 64),
        "second": format!("engine(hash={})", 64 - number % 64),
    });
    (
        "POST",
        "/games".into(),
        "application/json",
        wish.to_string(),
    )
}

/// Attacks with so many connections; every game that is begun is followed.
async fn attack(
    server: SocketAddr,
    connections: u64,
    attack: Attack,
    stop: Arc<AtomicBool>,
) -> Vec<tokio::task::JoinHandle<()>> {
    let counter = Arc::new(AtomicU64::new(0));
    let mut tasks = Vec::new();
    for _ in 0..connections {
        let (stop, counter) = (Arc::clone(&stop), Arc::clone(&counter));
        tasks.push(tokio::spawn(async move {
            let mut games: Vec<String> = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                let Ok(mut client) = Client::connect(ATTACKER, server).await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                while !stop.load(Ordering::Relaxed) {
                    let number = counter.fetch_add(1, Ordering::Relaxed);
                    let (method, path, accept, body) = attack(number);
                    let Ok((status, answer)) = client.ask(method, &path, accept, &body).await
                    else {
                        break;
                    };
                    let made: Option<Value> = serde_json::from_slice(&answer).ok();
                    let id = made.as_ref().and_then(|made| made["id"].as_str());
                    games.extend(id.map(|id| format!("/games/{id}")));
                    for game in games.iter().rev().take(20) {
                        // Somebody looks: the game goes on.
                        let looked = client.ask("GET", game, "application/json", "").await;
                        if looked.is_err() {
                            break;
                        }
                    }
                    if status == 429 {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                }
            }
        }));
    }
    tasks
}

/// Reads the whole history of a long game on many streams, over and over.
async fn histories(
    server: SocketAddr,
    stop: Arc<AtomicBool>,
) -> Result<Vec<tokio::task::JoinHandle<()>>, Failure> {
    let mut player = Client::connect(ATTACKER, server).await?;
    let wish = json!({ "game": "tictactoe:20x20:19" });
    let made = player.json("POST", "/games", wish).await?;
    let game = format!("/games/{}", made["id"].as_str().ok_or("no game")?);
    for _ in 0..100 {
        player
            .json("POST", &format!("{game}/moves"), json!({ "move": "1" }))
            .await?;
        player
            .json("POST", &format!("{game}/take-back"), json!({}))
            .await?;
    }
    let mut tasks = Vec::new();
    for _ in 0..31 {
        let (stop, game) = (Arc::clone(&stop), game.clone());
        tasks.push(tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                let Ok(client) = Client::connect(ATTACKER, server).await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let mut stream = client.stream;
                let request =
                    format!("GET {game}/events?after=0 HTTP/1.1\r\nhost: localhost\r\n\r\n");
                let _ = stream.get_mut().write_all(request.as_bytes()).await;
                let mut some = [0; 4096];
                let _ =
                    tokio::time::timeout(Duration::from_millis(200), stream.read(&mut some)).await;
            }
        }));
    }
    Ok(tasks)
}

/// The most memory that a process took, in MiB.
fn most_memory(pid: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kib / 1024)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, rest @ ..] = arguments.as_slice() else {
        return Err("give http://127.0.0.1:PORT".into());
    };
    let server: SocketAddr = address
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .parse()?;
    if !server.ip().is_loopback() {
        return Err("this is for this machine only: give a loopback address".into());
    }
    let seconds: u64 = rest.first().map_or(Ok(20), |text| text.parse())?;
    for what in [
        "nothing",
        "games to watch",
        "expensive pages",
        "long histories",
        "hash tables",
    ] {
        let stop = Arc::new(AtomicBool::new(false));
        let attackers = match what {
            "games to watch" => attack(server, 60, watch, Arc::clone(&stop)).await,
            "expensive pages" => attack(server, 100, pages, Arc::clone(&stop)).await,
            "long histories" => histories(server, Arc::clone(&stop)).await?,
            "hash tables" => attack(server, 60, engines, Arc::clone(&stop)).await,
            _ => Vec::new(),
        };
        tokio::time::sleep(Duration::from_secs(2)).await;
        let playing = tokio::spawn(victim(server, Arc::clone(&stop)));
        tokio::time::sleep(Duration::from_secs(seconds.min(120))).await;
        stop.store(true, Ordering::Relaxed);
        println!("under {what}:");
        let (acknowledged, answered) = playing.await??;
        report("acknowledged", acknowledged);
        report("answered", answered);
        if let Some(memory) = rest.get(1).and_then(|pid| most_memory(pid)) {
            println!("  memory so far: {memory} MiB");
        }
        for task in attackers {
            task.abort();
        }
    }
    Ok(())
}
