//! How much faster several threads search to a fixed depth:
//! `depth FILE.obf [depth=20] [threads=2] [positions=20]`.
//!
//! Every position is searched by one thread and by so many, in turn, each time with an empty
//! table, whose memory is there already.

use papan_files::obf;
use papan_othello::{Board, Engine, Options, SearchLimits};
use papan_strategies::{Clock, StopToken, SystemClock};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let path = words
        .first()
        .ok_or("depth FILE.obf [depth=20] [threads=2] [positions=20]")?;
    let number = |key: &str, usual: usize| -> Result<usize, Box<dyn Error>> {
        let value = words
            .iter()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        Ok(value.map_or(Ok(usual), str::parse)?)
    };
    let depth = number("depth", 20)? as u32;
    let threads = number("threads", 2)?;
    let problems = obf::parse(&std::fs::read_to_string(path)?)?;
    let mut totals = [(0, Duration::ZERO); 2];
    let made = |threads| {
        let hash_mib = 64;
        Engine::new(&Options { threads, hash_mib })
    };
    let mut engines = [made(1)?, made(threads)?];
    for engine in &mut engines {
        searched(engine, Board::START, depth.min(12));
    }
    for problem in problems.iter().take(number("positions", 20)?) {
        for (total, engine) in totals.iter_mut().zip(&mut engines) {
            let (nodes, wall) = searched(engine, problem.board, depth);
            *total = (total.0 + nodes, total.1 + wall);
        }
    }
    let [alone, together] = totals;
    println!(
        "depth {depth}: 1 thread {} nodes in {:.3} s, {threads} threads {} nodes in {:.3} s: {:.2} times as fast",
        alone.0,
        alone.1.as_secs_f64(),
        together.0,
        together.1.as_secs_f64(),
        alone.1.as_secs_f64() / together.1.as_secs_f64(),
    );
    Ok(())
}

/// The nodes that a search of the position takes, and its time.
fn searched(engine: &mut Engine, board: Board, depth: u32) -> (u64, Duration) {
    let task = SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    };
    engine.clear();
    let began = SystemClock.now();
    let report = engine.search(board, &task, &StopToken::default(), |_| {});
    (report.nodes, SystemClock.now().saturating_sub(began))
}
