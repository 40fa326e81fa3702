//! Soak test: two servers on one PostgreSQL and three workers on one NATS server, with a crash every
//! few seconds.
//!
//! ```text
//! cargo xtask soak [MINUTES]
//! ```
//!
//! Players play through any server that responds, workers play tournaments, and a client requests
//! proofs and reviews. At the end every acknowledged move must be stored exactly once, and every
//! tournament and proof must have the result of a single machine.

#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;
#[path = "../../store/tests/postgres/mod.rs"]
mod postgres;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nats_server::NatsServer;
use postgres::Postgres;
use serde_json::{Value, json};

/// Time between two crashes.
const CRASH_INTERVAL: Duration = Duration::from_secs(7);
/// Number of concurrent players.
const PLAYERS: usize = 8;
/// A drawn game of nine moves.
const MOVES: [&str; 9] = ["5", "1", "3", "7", "4", "6", "2", "8", "9"];
const LISTEN: [&str; 2] = ["127.0.0.1:7391", "127.0.0.1:7392"];

/// A process that is killed on drop.
struct Process(Child);

impl Process {
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn start(papan: &str, args: &[&str]) -> Process {
    let mut command = Command::new(papan);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Process(command.spawn().expect("papan starts"))
}

/// The addresses of the database and the job server.
struct Addresses {
    database: String,
    jobs: String,
}

fn server(papan: &str, addresses: &Addresses, number: usize) -> Process {
    let args = [
        "serve",
        "--database",
        &addresses.database,
        "--jobs",
        &addresses.jobs,
        "--listen",
        LISTEN[number],
        "--log",
        "error",
    ];
    let limits = [
        "--changes-per-second",
        "100000",
        "--reads-per-second",
        "100000",
        "--connections-per-address",
        "1000",
    ];
    start(papan, &[&args[..], &limits].concat())
}

fn worker(papan: &str, url: &str, number: usize) -> Process {
    let name = format!("soak-{number}");
    start(
        papan,
        &["worker", "--jobs", url, "--threads", "1", "--name", &name],
    )
}

/// Sends a request; `None` if the server is down or returns a server error.
fn try_request(
    server: &str,
    secret: &str,
    method: &str,
    path: &str,
    key: &str,
    body: &Value,
) -> Option<(u16, Value)> {
    let address: SocketAddr = server.parse().ok()?;
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(2)).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(15)))
        .ok()?;
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let message = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
         authorization: Bearer {secret}\r\nidempotency-key: {key}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(message.as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    let status = response.split(' ').nth(1)?.parse().ok()?;
    let (_, body) = response.split_once("\r\n\r\n")?;
    (status < 500).then(|| (status, serde_json::from_str(body).unwrap_or(Value::Null)))
}

/// Sends a request to the servers in turn until one of them responds.
fn request(
    turn: &mut usize,
    secret: &str,
    method: &str,
    path: &str,
    key: &str,
    body: &Value,
) -> (u16, Value) {
    loop {
        *turn += 1;
        if let Some(response) = try_request(LISTEN[*turn % 2], secret, method, path, key, body) {
            return response;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The games of a player.
struct Played {
    secret: String,
    games: Vec<PlayedGame>,
}

struct PlayedGame {
    path: String,
    /// Number of acknowledged moves.
    acknowledged: usize,
}

/// Returns a secret of a visitor: servers refuse those with few different characters.
fn secret(visitor: usize) -> String {
    format!("soak-{visitor:03}-abcdefghijklmnopqrstuvw")
}

/// Plays games until `over` is set.
fn play(player: usize, over: &AtomicBool) -> Played {
    let secret = secret(player);
    let (mut turn, mut games) = (player, Vec::new());
    while !over.load(Ordering::Relaxed) {
        let body = json!({ "game": "tictactoe" });
        let (status, made) = request(&mut turn, &secret, "POST", "/games", "new", &body);
        let Some(id) = made["id"].as_str() else {
            panic!("no game was created: {status} {made}");
        };
        let game = format!("/games/{id}");
        for (index, mv) in MOVES.iter().enumerate() {
            let key = format!("move-{index}");
            let path = format!("{game}/moves");
            let (status, response) = request(
                &mut turn,
                &secret,
                "POST",
                &path,
                &key,
                &json!({ "move": mv }),
            );
            assert!(
                status == 200 || status == 409,
                "{path} {mv}: {status} {response}"
            );
            if status == 409 {
                // The move may have been made by an earlier attempt through the other server.
                let (_, state) = request(&mut turn, &secret, "GET", &game, "look", &Value::Null);
                let made = state["moves"].as_array().map_or(0, Vec::len);
                assert!(made > index, "{game}: {made} moves after {}", index + 1);
            }
            if over.load(Ordering::Relaxed) {
                games.push(PlayedGame {
                    path: game,
                    acknowledged: index + 1,
                });
                return Played { secret, games };
            }
        }
        games.push(PlayedGame {
            path: game,
            acknowledged: MOVES.len(),
        });
    }
    Played { secret, games }
}

/// Checks that all acknowledged moves are stored once and in order, and returns their number.
fn check(played: &Played) -> usize {
    for PlayedGame { path, acknowledged } in &played.games {
        let (_, state) = request(&mut 0, &played.secret, "GET", path, "look", &Value::Null);
        let moves: Vec<&str> = (state["moves"].as_array().expect("a game has moves").iter())
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(moves, MOVES[..moves.len()], "{path}");
        assert!(moves.len() >= *acknowledged, "{path} lost a move");
    }
    played.games.iter().map(|game| game.acknowledged).sum()
}

/// Runs a tournament, by workers or in one process, and returns its table.
fn table(papan: &str, results: &std::path::Path, seed: usize, jobs: Option<&str>) -> String {
    let (results, seed) = (results.display().to_string(), seed.to_string());
    let mut command = Command::new(papan);
    command.args([
        "arena",
        "tictactoe:5x5:4",
        "--no-times",
        "--json",
        "--quiet",
    ]);
    command.args([
        "--players",
        "mcts(playouts=300),alphabeta(depth=2)",
        "--games",
        "200",
    ]);
    command.args(["--seed", &seed, "--results", &results]);
    if let Some(url) = jobs {
        command.args(["--jobs", url]);
    }
    command.stderr(Stdio::inherit());
    // Starting fails while the job server is down.
    for _ in 0..30 {
        let output = command.output().expect("papan starts");
        if output.status.success() {
            return String::from_utf8_lossy(&output.stdout).into_owned();
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    panic!("the tournament failed");
}

/// Polls a page of long work until it is done.
fn poll(turn: &mut usize, place: &str) -> Value {
    let secret = secret(PLAYERS);
    loop {
        let (status, response) = request(turn, &secret, "GET", place, "look", &Value::Null);
        // Jobs of the other server may count against the limit for a moment longer.
        assert!(
            status == 200 || status == 429,
            "{place}: {status} {response}"
        );
        if response["done"] == true || status == 200 && response["done"] == response["positions"] {
            return response;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Requests proofs and reviews, compares the proofs with `papan prove`, and returns their number.
fn analyse(papan: &str, over: &AtomicBool) -> usize {
    let (mut turn, mut studies) = (0, 0);
    while !over.load(Ordering::Relaxed) {
        studies += 1;
        let strategy = format!("mcts(playouts=20000,seed={studies})");
        let place = format!("/proof?game=tictactoe&strategy={strategy}&as=second");
        let proved = poll(&mut turn, &place);
        let output = Command::new(papan)
            .args(["prove", "tictactoe", &strategy, "--as", "second"])
            .output()
            .expect("papan starts");
        let alone = String::from_utf8_lossy(&output.stdout);
        let lines = format!(
            "lines of play: {} (",
            proved["lines"].as_str().unwrap_or("?")
        );
        assert!(alone.contains(&lines), "{place}: {proved} is not {alone}");
        // A different game each time.
        let mut moves = MOVES;
        moves.rotate_left(studies % MOVES.len());
        let moves = moves[..1 + studies % 7].join("+");
        let place = format!("/review?game=tictactoe:5x5&moves={moves}");
        let reviewed = poll(&mut turn, &place);
        assert!(reviewed["failure"].is_null(), "{place}: {reviewed}");
    }
    studies
}

fn main() {
    // `cargo bench` passes --bench to every benchmark.
    let args: Vec<String> = (std::env::args().skip(1))
        .filter(|arg| arg != "--bench")
        .collect();
    let [papan, minutes] = args.as_slice() else {
        println!("usage: soak PAPAN MINUTES");
        return;
    };
    let minutes: f64 = minutes.parse().expect("a number of minutes");
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let folder = tempfile::tempdir().expect("a folder");
    let mut postgres = Postgres::with(&["listen_addresses=", "max_connections=200"]);
    let mut nats = NatsServer::start();
    let addresses = Addresses {
        database: postgres.database("soak"),
        jobs: nats.url(),
    };
    let jobs = addresses.jobs.as_str();
    let mut servers: Vec<Process> = (0..2).map(|n| server(papan, &addresses, n)).collect();
    let mut workers: Vec<Process> = (0..3).map(|n| worker(papan, jobs, n)).collect();
    let over = AtomicBool::new(false);
    let (crashes, games, tables, analyses) = std::thread::scope(|scope| {
        let over = &over;
        let players: Vec<_> = (0..PLAYERS)
            .map(|n| scope.spawn(move || play(n, over)))
            .collect();
        let place = folder.path();
        let tournaments = scope.spawn(move || {
            let mut seed = 0;
            while !over.load(Ordering::Relaxed) {
                seed += 1;
                let there = table(
                    papan,
                    &place.join(format!("{seed}.workers")),
                    seed,
                    Some(jobs),
                );
                let here = table(papan, &place.join(format!("{seed}.alone")), seed, None);
                assert_eq!(there, here, "tournament {seed}");
            }
            seed
        });
        let analyses = scope.spawn(move || analyse(papan, over));
        let mut crashes = 0;
        while Instant::now() < end && !tournaments.is_finished() && !analyses.is_finished() {
            std::thread::sleep(CRASH_INTERVAL);
            match crashes % 7 {
                0 | 3 => {
                    let number = crashes / 3 % 2;
                    servers[number] = restart_server(papan, &addresses, &mut servers, number);
                }
                1 | 2 | 4 => {
                    let number = crashes % 3;
                    workers[number].kill();
                    workers[number] = worker(papan, jobs, number);
                }
                5 => {
                    nats.kill();
                    std::thread::sleep(Duration::from_secs(3));
                    nats.restart();
                    // Workers that were starting meanwhile have ended.
                    for (number, process) in workers.iter_mut().enumerate() {
                        if process.has_ended() {
                            *process = worker(papan, jobs, number);
                        }
                    }
                }
                _ => {
                    postgres.stop();
                    std::thread::sleep(Duration::from_secs(3));
                    postgres.start_again();
                }
            }
            crashes += 1;
            println!("{crashes} crashes");
        }
        over.store(true, Ordering::Relaxed);
        let games: Vec<_> = players
            .into_iter()
            .map(|player| player.join().expect("a player"))
            .collect();
        let tables = tournaments.join().expect("the tournaments");
        (
            crashes,
            games,
            tables,
            analyses.join().expect("the analyses"),
        )
    });
    let moves: usize = games.iter().map(check).sum();
    println!(
        "{crashes} crashes; {moves} acknowledged moves stored; {tables} tournaments and {analyses} proofs \
         equal to those of a single machine"
    );
    drop((servers, workers));
}

/// Kills a server and restarts it at the same address.
fn restart_server(
    papan: &str,
    addresses: &Addresses,
    servers: &mut [Process],
    number: usize,
) -> Process {
    servers[number].kill();
    server(papan, addresses, number)
}
