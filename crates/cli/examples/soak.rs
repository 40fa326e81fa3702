//! Two servers and three workers on one PostgreSQL, and every few seconds one of them
//! or the database falls and rises again. Players play on through whichever server
//! answers; a tournament is played by the workers again and again.
//!
//! ```text
//! cargo xtask soak [MINUTES]
//! ```
//!
//! A visitor has proofs and reviews made. In the end every acknowledged move must be
//! there, once, and every table and every proof must be that of one machine.

#[path = "../../store/tests/postgres/mod.rs"]
mod postgres;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use postgres::Postgres;
use serde_json::{Value, json};

/// Between two falls.
const CALM: Duration = Duration::from_secs(7);
/// Players who play at once.
const PLAYERS: usize = 8;
/// A draw that no side wins early: nine moves for one game.
const MOVES: [&str; 9] = ["5", "1", "3", "7", "4", "6", "2", "8", "9"];
const LISTEN: [&str; 2] = ["127.0.0.1:7391", "127.0.0.1:7392"];

/// A program that ends with its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(papan: &str, words: &[&str]) -> Running {
    let mut command = Command::new(papan);
    command
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Running(command.spawn().expect("papan starts"))
}

fn server(papan: &str, url: &str, number: usize) -> Running {
    let words = [
        "serve",
        "--database",
        url,
        "--listen",
        LISTEN[number],
        "--log",
        "error",
    ];
    let more = [
        "--changes-per-second",
        "100000",
        "--connections-per-address",
        "1000",
    ];
    start(papan, &[&words[..], &more].concat())
}

fn worker(papan: &str, url: &str, number: usize) -> Running {
    let name = format!("soak {number}");
    start(
        papan,
        &[
            "worker",
            "--database",
            url,
            "--threads",
            "1",
            "--name",
            &name,
        ],
    )
}

/// Asks a server; nothing when it is not there or does not know now.
fn ask(
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
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
         authorization: Bearer {secret}\r\nidempotency-key: {key}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    (status < 500).then(|| (status, serde_json::from_str(body).unwrap_or(Value::Null)))
}

/// Asks one server after the other until one of them knows.
fn insist(
    turn: &mut usize,
    secret: &str,
    method: &str,
    path: &str,
    key: &str,
    body: &Value,
) -> (u16, Value) {
    loop {
        *turn += 1;
        if let Some(answer) = ask(LISTEN[*turn % 2], secret, method, path, key, body) {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Plays game after game; returns the games with their acknowledged moves.
fn play(player: usize, over: &AtomicBool) -> (String, Vec<(String, usize)>) {
    let secret = format!("soak{player:028}");
    let (mut turn, mut games) = (player, Vec::new());
    while !over.load(Ordering::Relaxed) {
        let wish = json!({ "game": "tictactoe" });
        let (status, made) = insist(&mut turn, &secret, "POST", "/games", "new", &wish);
        let Some(id) = made["id"].as_str() else {
            panic!("no game was made: {status} {made}");
        };
        let game = format!("/games/{id}");
        for (index, mv) in MOVES.iter().enumerate() {
            let key = format!("move-{index}");
            let path = format!("{game}/moves");
            let (status, said) = insist(
                &mut turn,
                &secret,
                "POST",
                &path,
                &key,
                &json!({ "move": mv }),
            );
            assert!(
                status == 200 || status == 409,
                "{path} {mv}: {status} {said}"
            );
            if status == 409 {
                // Through another server it may have been there already; it must be now.
                let (_, state) = insist(&mut turn, &secret, "GET", &game, "look", &Value::Null);
                let made = state["moves"].as_array().map_or(0, Vec::len);
                assert!(made > index, "{game}: {made} moves after {}", index + 1);
            }
            if over.load(Ordering::Relaxed) {
                games.push((game, index + 1));
                return (secret, games);
            }
        }
        games.push((game, MOVES.len()));
    }
    (secret, games)
}

/// Every acknowledged move is there, once and in order.
fn check((secret, games): &(String, Vec<(String, usize)>)) -> usize {
    for (game, acknowledged) in games {
        let (_, state) = insist(&mut 0, secret, "GET", game, "look", &Value::Null);
        let moves = state["moves"].as_array().expect("a game has moves");
        let moves: Vec<&str> = moves.iter().filter_map(Value::as_str).collect();
        assert_eq!(moves, MOVES[..moves.len()], "{game}");
        assert!(moves.len() >= *acknowledged, "{game} lost a move");
    }
    games.iter().map(|(_, moves)| moves).sum()
}

/// The table of a tournament, by workers or alone.
fn table(papan: &str, results: &std::path::Path, seed: usize, queue: Option<&str>) -> String {
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
    if let Some(url) = queue {
        command.args(["--queue", url]);
    }
    command.stderr(Stdio::inherit());
    // Whoever begins while the database is away is told so, and begins again.
    for _ in 0..30 {
        let output = command.output().expect("papan starts");
        if output.status.success() {
            return String::from_utf8_lossy(&output.stdout).into_owned();
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    panic!("the tournament failed");
}

/// Asks for a page of long work until it is done.
fn insist_on(turn: &mut usize, place: &str) -> Value {
    let secret = format!("soak{PLAYERS:028}");
    loop {
        let (status, told) = insist(turn, &secret, "GET", place, "look", &Value::Null);
        // What another server has under way may count for a moment longer.
        assert!(status == 200 || status == 429, "{place}: {status} {told}");
        if told["done"] == true || status == 200 && told["done"] == told["positions"] {
            return told;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Has proof after proof and review after review made by whoever is there; each says what
/// one machine says. Returns how many.
fn study(papan: &str, over: &AtomicBool) -> usize {
    let (mut turn, mut studies) = (0, 0);
    while !over.load(Ordering::Relaxed) {
        studies += 1;
        let strategy = format!("mcts(playouts=20000,seed={studies})");
        let place = format!("/proof?game=tictactoe&strategy={strategy}&as=second");
        let proved = insist_on(&mut turn, &place);
        let mut alone = Command::new(papan);
        alone.args(["prove", "tictactoe", &strategy, "--as", "second"]);
        let alone = alone.output().expect("papan starts").stdout;
        let alone = String::from_utf8_lossy(&alone).into_owned();
        let lines = format!(
            "lines of play: {} (",
            proved["lines"].as_str().unwrap_or("?")
        );
        assert!(alone.contains(&lines), "{place}: {proved} is not {alone}");
        // Another game each time, which five in a row never end.
        let mut moves = MOVES;
        moves.rotate_left(studies % MOVES.len());
        let moves = moves[..1 + studies % 7].join("+");
        let place = format!("/review?game=tictactoe:5x5&moves={moves}");
        let reviewed = insist_on(&mut turn, &place);
        assert!(reviewed["failure"].is_null(), "{place}: {reviewed}");
    }
    studies
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [papan, minutes] = arguments.as_slice() else {
        panic!("give papan's path and how many minutes");
    };
    let minutes: f64 = minutes.parse().expect("a number of minutes");
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let folder = tempfile::tempdir().expect("a folder");
    let mut postgres = Postgres::with(&["listen_addresses=", "max_connections=200"]);
    let url = postgres.database("soak");
    let mut servers: Vec<Running> = (0..2).map(|n| server(papan, &url, n)).collect();
    let mut workers: Vec<Running> = (0..3).map(|n| worker(papan, &url, n)).collect();
    let over = AtomicBool::new(false);
    let (falls, games, tables, studies) = std::thread::scope(|scope| {
        let over = &over;
        let players: Vec<_> = (0..PLAYERS)
            .map(|n| scope.spawn(move || play(n, over)))
            .collect();
        let (place, database) = (folder.path(), url.as_str());
        let tournaments = scope.spawn(move || {
            let mut seed = 0;
            while !over.load(Ordering::Relaxed) {
                seed += 1;
                let there = table(
                    papan,
                    &place.join(format!("{seed}.queue")),
                    seed,
                    Some(database),
                );
                let here = table(papan, &place.join(format!("{seed}.alone")), seed, None);
                assert_eq!(there, here, "tournament {seed}");
            }
            seed
        });
        let studies = scope.spawn(move || study(papan, over));
        let mut falls = 0;
        while Instant::now() < end && !tournaments.is_finished() && !studies.is_finished() {
            std::thread::sleep(CALM);
            match falls % 6 {
                0 | 3 => {
                    servers[falls / 3 % 2] = server_again(papan, &url, &mut servers, falls / 3 % 2)
                }
                1 | 2 | 4 => workers[falls % 3] = worker(papan, &url, falls % 3),
                _ => {
                    postgres.stop();
                    std::thread::sleep(Duration::from_secs(3));
                    postgres.start_again();
                }
            }
            falls += 1;
            println!("{falls} falls");
        }
        over.store(true, Ordering::Relaxed);
        let games: Vec<_> = players
            .into_iter()
            .map(|player| player.join().expect("a player"))
            .collect();
        let tables = tournaments.join().expect("the tournaments");
        (falls, games, tables, studies.join().expect("the studies"))
    });
    let moves: usize = games.iter().map(check).sum();
    println!(
        "{falls} falls, {moves} acknowledged moves all there, {tables} tables and {studies} proofs as \
         on one machine"
    );
    drop((servers, workers));
}

/// A server falls at once and comes back at the same address.
fn server_again(papan: &str, url: &str, servers: &mut [Running], number: usize) -> Running {
    let _ = servers[number].0.kill();
    let _ = servers[number].0.wait();
    server(papan, url, number)
}
