//! Benchmark: speedup of a fixed-depth search by threads.
//!
//! ```text
//! cargo bench -p papan-train --bench thread_scaling -- FILE.obf [depth=20] [threads=2] [positions=20]
//! ```
//!
//! Every position is searched with one thread and with several, in turn, each time with an empty
//! transposition table whose memory is already mapped.

use papan_files::obf;
use papan_othello::{Board, Engine, Options, SearchLimits};
use papan_strategies::{Clock, StopToken, SystemClock};
use std::error::Error;
use std::time::Duration;

/// Sums over all positions.
#[derive(Clone, Copy, Default)]
struct Total {
    nodes: u64,
    time: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` passes --bench to every benchmark.
    let args: Vec<String> = (std::env::args().skip(1))
        .filter(|arg| arg != "--bench")
        .collect();
    let Some(path) = args.first() else {
        println!("usage: thread_scaling FILE.obf [depth=20] [threads=2] [positions=20]");
        return Ok(());
    };
    let number = |key: &str, default: usize| -> Result<usize, Box<dyn Error>> {
        let value = args
            .iter()
            .find_map(|arg| arg.strip_prefix(key)?.strip_prefix('='));
        Ok(value.map_or(Ok(default), str::parse)?)
    };
    let depth = number("depth", 20)? as u32;
    let threads = number("threads", 2)?;
    let problems = obf::parse(&std::fs::read_to_string(path)?)?;
    let engine = |threads| {
        let hash_mib = 64;
        Engine::new(&Options { threads, hash_mib })
    };
    let mut engines = [engine(1)?, engine(threads)?];
    for engine in &mut engines {
        search(engine, Board::START, depth.min(12));
    }
    let mut totals = [Total::default(); 2];
    for problem in problems.iter().take(number("positions", 20)?) {
        for (total, engine) in totals.iter_mut().zip(&mut engines) {
            let Total { nodes, time } = search(engine, problem.board, depth);
            total.nodes += nodes;
            total.time += time;
        }
    }
    let [one, several] = totals;
    println!(
        "depth {depth}: 1 thread {} nodes in {:.3} s, {threads} threads {} nodes in {:.3} s, speedup {:.2}",
        one.nodes,
        one.time.as_secs_f64(),
        several.nodes,
        several.time.as_secs_f64(),
        one.time.as_secs_f64() / several.time.as_secs_f64(),
    );
    Ok(())
}

/// Searches a position and returns the nodes and the time.
fn search(engine: &mut Engine, board: Board, depth: u32) -> Total {
    let limits = SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    };
    engine.clear();
    let started = SystemClock.now();
    let result = engine.search(board, &limits, &StopToken::default(), |_| {});
    Total {
        nodes: result.nodes,
        time: SystemClock.now().saturating_sub(started),
    }
}
