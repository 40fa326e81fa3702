//! Times plain perft from the start: `cargo run --release -p papan-othello --example perft 11`.

use papan_othello::{Board, perft};

fn main() {
    let depth = std::env::args()
        .nth(1)
        .and_then(|d| d.parse().ok())
        .unwrap_or(11);
    let start = std::time::Instant::now();
    let lines = perft(Board::START, depth);
    println!(
        "perft {depth}: {lines} lines in {:.3} s",
        start.elapsed().as_secs_f64()
    );
}
