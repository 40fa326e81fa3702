//! Benchmark: overhead of the arena (`cargo bench -p papan-arena`).
//!
//! Each line is one promise with its measured number. The engine that answers at
//! once is this very program, started again.

use std::collections::HashSet;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use papan_arena::results::Journal;
use papan_arena::{Format, RunOptions, Scoreboard, Tournament, run};
use papan_protocol::ProtocolNotation;
use papan_rules::{Grid, Move, Wide};
use papan_strategies::{Limits, StopToken};

/// With this word the program is an engine.
const ENGINE: &str = "--answer-at-once";
/// A game without a winner before the board is full.
const LONG_GAME: &str = "tictactoe:15x15:15";

fn main() {
    if std::env::args().any(|argument| argument == ENGINE) {
        return answer_at_once();
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for results");
    memory(folder.path());
    speed(folder.path());
    overhead(folder.path());
    concurrency(folder.path());
}

fn tournament(game: &str, players: [&str; 2], games: u64) -> Tournament {
    Tournament {
        game: game.parse().expect("a game"),
        entrants: players.map(|p| p.parse().expect("a player")).to_vec(),
        format: Format::RoundRobin,
        games,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        seed: 1,
        timed: true,
        swap: None,
        adjudication: Default::default(),
    }
}

/// Plays with durable records; the seconds that it took.
fn play(folder: &Path, tournament: &Tournament, concurrency: usize) -> (f64, Scoreboard) {
    let path = folder.join("bench.results");
    // The last measurement's, if there was one.
    let _ = std::fs::remove_file(&path);
    let mut journal = Journal::open(&path, &tournament.header()).expect("a journal");
    let settings = RunOptions {
        concurrency,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    let begun = Instant::now();
    let scoreboard = run(tournament, &mut journal, settings).expect("a tournament");
    (begun.elapsed().as_secs_f64(), scoreboard)
}

fn best_of_three(measure: impl Fn() -> f64) -> f64 {
    (0..3).map(|_| measure()).fold(f64::INFINITY, f64::min)
}

fn memory(folder: &Path) {
    let games = 1_000_000;
    let (seconds, _) = play(
        folder,
        &tournament("tictactoe", ["random", "greedy"], games),
        2,
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|text| text.split_whitespace().next());
    let mebibytes = peak
        .and_then(|text| text.parse::<f64>().ok())
        .unwrap_or(f64::NAN)
        / 1024.0;
    println!(
        "a tournament of {games} games: {mebibytes:.1} MiB at most, {seconds:.1} s (goal: under 200 MiB)"
    );
}

fn speed(folder: &Path) {
    let games = 400_000;
    let plan = tournament("tictactoe", ["random", "greedy"], games);
    let seconds = best_of_three(|| play(folder, &plan, 2).0);
    let speed = games as f64 / seconds;
    println!("random against greedy on 3x3, two at once: {speed:.0} games a second (goal: 100000)");
}

fn overhead(folder: &Path) {
    let program = std::env::current_exe().expect("this program");
    let engine = format!("gtp:'{}' {ENGINE}", program.display());
    let plan = tournament(LONG_GAME, [&engine, &engine], 40);
    let micros = best_of_three(|| {
        let (seconds, scoreboard) = play(folder, &plan, 1);
        let moves: u64 = scoreboard
            .standings()
            .players
            .iter()
            .map(|p| p.cost.moves)
            .sum();
        assert!(
            scoreboard
                .standings()
                .players
                .iter()
                .all(|p| p.forfeited() == 0)
        );
        seconds * 1e6 / moves as f64
    });
    println!("a move of a GTP engine that answers at once: {micros:.1} µs (goal: under 100 µs)");
}

fn concurrency(folder: &Path) {
    let players = ["alphabeta(depth=4)", "mcts(playouts=2000)"];
    let plan = tournament("tictactoe:4x4", players, 160);
    let one = best_of_three(|| play(folder, &plan, 1).0);
    let two = best_of_three(|| play(folder, &plan, 2).0);
    // No arena is better than its machine, which may have other work.
    let alone = best_of_three(|| spin(1));
    let together = best_of_three(|| spin(2));
    println!(
        "two games at once against one: {:.2} times as fast (goal: 1.9); \
         two plain loops against one: {:.2}",
        one / two,
        2.0 * alone / together
    );
}

/// Returns the seconds that this many threads need to count, each equally far.
fn spin(threads: u64) -> f64 {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for seed in 1..=threads {
            scope.spawn(move || {
                let step = |x: u64, _| x.wrapping_mul(6_364_136_223_846_793_005) >> 1 ^ x;
                std::hint::black_box((0..200_000_000_u64).fold(seed, step))
            });
        }
    });
    begun.elapsed().as_secs_f64()
}

/// A GTP engine that plays the first free cell.
fn answer_at_once() {
    let board = ProtocolNotation::of(&Grid::<Wide>::new(&[15, 15], 15).expect("a board"));
    let mut free = 0;
    let mut taken = HashSet::new();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a command");
        let mut words = line.split(' ');
        let answer = match words.next() {
            Some("list_commands") => "name\nplay\ngenmove\nclear_board\nquit".into(),
            // One that stays is waited for, which would be counted as its moves'.
            Some("quit") => return,
            Some("clear_board") => {
                free = 0;
                taken.clear();
                String::new()
            }
            Some("play") => {
                taken.extend(words.nth(1).and_then(|word| board.parse_vertex(word)));
                String::new()
            }
            Some("genmove") => {
                while !taken.insert(Move::on(free)) {
                    free += 1;
                }
                board.vertex(Move::on(free)).into()
            }
            _ => String::new(),
        };
        write!(out, "= {answer}\n\n")
            .and_then(|()| out.flush())
            .expect("a listener");
    }
}
