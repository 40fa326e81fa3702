//! Benchmark: speedup of tournaments and proofs by workers.
//!
//! ```text
//! cargo build --release
//! cargo bench -p papan --bench workers -- "$PWD/target/release/papan" [GAMES=400] [PROOF]
//! ```
//!
//! Plays the same tournament without and with workers, and solves PROOF, a k-in-a-row game such as
//! `tictactoe:6x6:4`, with one worker and with two, in turn. Every worker has one thread, and every
//! measurement has a NATS server of its own.

#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nats_server::NatsServer;

const ROUNDS: usize = 3;

/// A process that is killed on drop.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A job server with workers.
struct Cluster {
    url: String,
    _workers: Vec<Process>,
    _server: NatsServer,
}

struct Bench {
    papan: String,
    folder: tempfile::TempDir,
    /// Number of measurements so far.
    measurements: usize,
}

impl Bench {
    /// Starts a server and workers; returns when they are connected.
    fn workers(&self, count: usize) -> Cluster {
        let server = NatsServer::start();
        let url = server.url();
        let start = |_| {
            let mut worker = Command::new(&self.papan);
            worker.args(["worker", "--threads", "1", "--jobs", &url]);
            worker.stderr(Stdio::null());
            Process(worker.spawn().expect("papan starts"))
        };
        let workers: Vec<Process> = (0..count).map(start).collect();
        loop {
            let output = Command::new(&self.papan)
                .args(["jobs", "--jobs", &url])
                .output()
                .expect("papan starts");
            let text = String::from_utf8_lossy(&output.stdout);
            if text.matches("\nworker ").count() == count {
                return Cluster {
                    url,
                    _workers: workers,
                    _server: server,
                };
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Returns the seconds that a command takes.
    fn time(&mut self, args: &[&str]) -> f64 {
        let start = Instant::now();
        let output = Command::new(&self.papan)
            .args(args)
            .env("PAPAN_DATA_DIR", self.folder.path())
            .output()
            .expect("papan starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        self.measurements += 1;
        start.elapsed().as_secs_f64()
    }

    fn tournament(&mut self, games: &str, seed: usize, more: &[&str]) -> f64 {
        let results = self
            .folder
            .path()
            .join(format!("{}.results", self.measurements));
        let (results, seed) = (results.display().to_string(), seed.to_string());
        let players = "mcts(playouts=4000),alphabeta(depth=4)";
        let arena = ["arena", "tictactoe:5x5:4", "--no-times", "--quiet"];
        let settings = ["--players", players, "--games", games, "--seed", &seed];
        let args = [&arena[..], &settings, &["--results", &results], more].concat();
        self.time(&args)
    }

    /// Measures a tournament played by workers.
    fn by_workers(&mut self, games: &str, seed: usize, count: usize) -> f64 {
        let cluster = self.workers(count);
        self.tournament(games, seed, &["--jobs", &cluster.url])
    }

    fn proof(&mut self, game: &str, count: usize) -> f64 {
        let cluster = self.workers(count);
        self.time(&["solve", game, "--jobs", &cluster.url])
    }
}

/// Prints all times and returns their median.
fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let all: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
    println!("    {} s", all.join(", "));
    sorted[sorted.len() / 2]
}

fn main() {
    // `cargo bench` passes --bench to every benchmark.
    let args: Vec<String> = (std::env::args().skip(1))
        .filter(|arg| arg != "--bench")
        .collect();
    let [papan, rest @ ..] = args.as_slice() else {
        println!("usage: workers PAPAN [GAMES] [PROOF]");
        return;
    };
    let games = rest.first().map_or("400", String::as_str);
    let mut bench = Bench {
        papan: papan.clone(),
        folder: tempfile::tempdir().expect("a temporary directory"),
        measurements: 0,
    };
    let mut times: [Vec<f64>; 4] = Default::default();
    for seed in 1..=ROUNDS {
        times[0].push(bench.tournament(games, seed, &["--concurrency", "1"]));
        times[1].push(bench.by_workers(games, seed, 1));
        times[2].push(bench.tournament(games, seed, &["--concurrency", "2"]));
        times[3].push(bench.by_workers(games, seed, 2));
    }
    println!("{games} games: concurrency 1, one worker, concurrency 2, two workers");
    let [alone, one, both, two] = times.map(|times| median(&times));
    println!("one worker relative to none: {:.3}", alone / one);
    println!(
        "speedup by two workers {:.3}, by two threads {:.3}, ratio {:.3}",
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
        println!("proof of {game}: one worker, two workers");
        let [one, two] = times.map(|times| median(&times));
        println!("speedup by two workers {:.3}", one / two);
    }
}
