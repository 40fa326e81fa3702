//! Solves the positions of an `.obf` file and compares them with their known scores:
//! `suite FILE [threads=1] [hash=512] [perft=0] [every]`.
//!
//! With `every`, each legal move of a position is solved, not only the best.

use papan_files::obf;
use papan_othello::Options;
use papan_othello::bench::Bench;
use papan_strategies::{StopToken, SystemClock};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let path = words
        .first()
        .ok_or("suite FILE [threads=1] [hash=512] [perft=0] [every]")?;
    let number = |key: &str, usual: usize| -> Result<usize, Box<dyn Error>> {
        let value = words
            .iter()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        Ok(value.map_or(Ok(usual), str::parse)?)
    };
    let bench = Bench {
        options: Options {
            threads: number("threads", 1)?,
            hash_mib: number("hash", 512)?,
        },
        perft: number("perft", 0)? as u32,
        suite: obf::parse(&std::fs::read_to_string(path)?)?,
        every_move: words.iter().any(|word| word == "every"),
    };
    let report = bench.run(&SystemClock, &StopToken::default(), |problem| {
        let best = problem
            .best
            .map_or_else(|| "pass".into(), |square| square.to_string());
        let wall = problem.timing.wall.as_secs_f64();
        println!(
            "{:3} {:2} {best} {:+3} {:12} nodes {:8.3} s user {wall:8.3} s wall",
            problem.line,
            problem.empties,
            problem.score,
            problem.nodes,
            problem.timing.user.as_secs_f64(),
        );
    })?;
    if let Some(perft) = &report.perft {
        println!(
            "perft {}: {} lines {:?}",
            perft.depth, perft.lines, perft.timing
        );
    }
    for mismatch in report.mismatches() {
        println!("mismatch {mismatch:?}");
    }
    println!(
        "total {} nodes, {:.3} s user, {:.3} s wall, {:.1} M nodes/s, {} mismatches, signature {:016x}",
        report.nodes,
        report.timing.user.as_secs_f64(),
        report.timing.wall.as_secs_f64(),
        report.nodes_per_second() / 1e6,
        report.mismatches().count(),
        report.signature.unwrap_or(0),
    );
    Ok(())
}
