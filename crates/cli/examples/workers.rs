//! What workers gain: the same tournament alone and by workers, and the same proof by one
//! worker and by two, in turns.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p papan --example workers -- target/release/papan [GAMES [PROOF]]
//! ```
//!
//! GAMES is how many games each tournament has, 400 if it is not said; PROOF a game of
//! k in a row, such as `tictactoe:6x6:4`. Every worker has one thread, every measurement
//! a database of its own, in a PostgreSQL that keeps what it promises.

#[path = "../../store/tests/postgres/mod.rs"]
mod postgres;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use postgres::Postgres;

const ROUNDS: usize = 3;

/// A program that ends with its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Bench {
    papan: String,
    postgres: Postgres,
    folder: tempfile::TempDir,
    /// How many measurements there were.
    made: usize,
}

impl Bench {
    /// A new database with so many workers, who are there.
    fn workers(&mut self, count: usize) -> (String, Vec<Running>) {
        let url = self.postgres.database(&format!("bench{}", self.made));
        let start = |_| {
            let mut worker = Command::new(&self.papan);
            worker.args(["worker", "--threads", "1", "--database", &url]);
            worker.stderr(Stdio::null());
            Running(worker.spawn().expect("papan starts"))
        };
        let workers: Vec<Running> = (0..count).map(start).collect();
        loop {
            let mut jobs = Command::new(&self.papan);
            let said = jobs.args(["jobs", "--database", &url]).output();
            let said = said.expect("papan starts").stdout;
            let there = String::from_utf8_lossy(&said).matches("\nworker ").count();
            if there == count {
                return (url, workers);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// The seconds that papan takes for these words; `well` are exit codes of an answer.
    fn time(&mut self, words: &[&str], well: &[i32]) -> f64 {
        let start = Instant::now();
        let ended = Command::new(&self.papan).args(words).output();
        let ended = ended.expect("papan starts");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(well.contains(&ended.status.code().unwrap_or(-1)), "{said}");
        self.made += 1;
        start.elapsed().as_secs_f64()
    }

    fn tournament(&mut self, games: &str, seed: usize, more: &[&str]) -> f64 {
        let results = self.folder.path().join(format!("{}.results", self.made));
        let (results, seed) = (results.display().to_string(), seed.to_string());
        let players = "mcts(playouts=4000),alphabeta(depth=4)";
        let words = ["arena", "tictactoe:5x5:4", "--no-times", "--quiet"];
        let which = ["--players", players, "--games", games, "--seed", &seed];
        let words = [&words[..], &which, &["--results", &results], more].concat();
        self.time(&words, &[0])
    }

    /// A tournament by so many workers.
    fn by_workers(&mut self, games: &str, seed: usize, count: usize) -> f64 {
        let (url, _workers) = self.workers(count);
        self.tournament(games, seed, &["--queue", &url])
    }

    fn proof(&mut self, game: &str, count: usize) -> f64 {
        let (url, _workers) = self.workers(count);
        self.time(&["solve", game, "--queue", &url], &[0, 1])
    }
}

/// The middle one, and all of them, in seconds.
fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let all: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
    println!("    {} s", all.join(", "));
    sorted[sorted.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [papan, rest @ ..] = arguments.as_slice() else {
        panic!("give papan's path, and how many games");
    };
    let games = rest.first().map_or("400", String::as_str);
    let mut bench = Bench {
        papan: papan.clone(),
        postgres: Postgres::with(&["listen_addresses=", "max_connections=200"]),
        folder: tempfile::tempdir().expect("a folder"),
        made: 0,
    };
    let mut times: [Vec<f64>; 4] = Default::default();
    for seed in 1..=ROUNDS {
        times[0].push(bench.tournament(games, seed, &["--concurrency", "1"]));
        times[1].push(bench.by_workers(games, seed, 1));
        times[2].push(bench.tournament(games, seed, &["--concurrency", "2"]));
        times[3].push(bench.by_workers(games, seed, 2));
    }
    println!("{games} games: one at a time, one worker, two at a time, two workers");
    let [alone, one, both, two] = times.map(|times| median(&times));
    println!("one worker against no queue: {:.3}", alone / one);
    println!(
        "two workers gain {:.3}, two at a time {:.3}: {:.3} of it",
        one / two,
        alone / both,
        one / two / (alone / both)
    );
    if let Some(game) = rest.get(1) {
        let mut times: [Vec<f64>; 2] = Default::default();
        for _ in 0..ROUNDS {
            times[0].push(bench.proof(game, 1));
            times[1].push(bench.proof(game, 2));
        }
        println!("the proof of {game}: one worker, two workers");
        let [one, two] = times.map(|times| median(&times));
        println!("two workers are {:.3} times as fast as one", one / two);
    }
}
