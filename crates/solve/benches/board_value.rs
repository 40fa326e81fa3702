//! CPU time of solving a board from its start, on one thread.
//!
//! ```sh
//! cargo bench -p papan-solve --bench board_value -- [without-survivors] BOARD…
//! ```
//!
//! A BOARD is a size and a length, `8x4:4`. The certificate of each is checked. `without-survivors`
//! leaves the survivor search out.

use std::time::Instant;

use papan_rules::{Game as _, Grid, Wide};
use papan_solve::{SearchCheckpoint, ValueLimits, check_claims, grid_value, write_claims};
use papan_strategies::Context;

/// The argument that leaves the survivor search out.
const WITHOUT_SURVIVORS: &str = "without-survivors";

/// Returns the CPU seconds of the main thread; 0 where the system does not report them.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next();
    nanoseconds
        .and_then(|n| n.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1e9
}

fn main() {
    let boards = std::env::args().skip(1).filter(|a| a != "--bench");
    let (flags, boards): (Vec<String>, Vec<String>) = boards.partition(|a| a == WITHOUT_SURVIVORS);
    let limits = ValueLimits {
        survivors: flags.is_empty(),
        ..ValueLimits::default()
    };
    for board in boards {
        let (sides, length) = board.split_once(':').expect("a board such as 8x4:4");
        let sides: Vec<usize> = sides
            .split('x')
            .map(|side| side.parse().expect("a side"))
            .collect();
        let length = length.parse().expect("a length");
        let grid = Grid::<Wide>::new(&sides, length).expect("a board");
        let start = grid.start();
        let (begin, wall) = (cpu_seconds(), Instant::now());
        let solved = grid_value(
            &grid,
            &start,
            &limits,
            &mut SearchCheckpoint::default(),
            &Context::default(),
        );
        let (seconds, wall) = (cpu_seconds() - begin, wall.elapsed().as_secs_f64());
        let certificate = write_claims(&grid, &start, &solved.claims);
        let checked = check_claims(&grid, &certificate).expect("the certificate holds");
        assert_eq!(
            checked.value(),
            solved.value,
            "the certificate shows the value"
        );
        println!(
            "{board}: value {:?}, {} nodes, {seconds:.2} s CPU, {wall:.2} s, certificate {} bytes",
            solved.value,
            solved.nodes,
            certificate.len()
        );
    }
}
