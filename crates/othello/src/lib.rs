//! The Othello engine of papan.

mod board;
mod bucket;
mod endgame;
mod features;
mod flip;
mod last;
mod mobility;
mod perft;
mod selectivity;
mod square;
mod stability;
mod sync;
mod table;
#[cfg(test)]
mod testing;
pub mod train;
mod weights;
mod worker;

pub use board::{Board, square_name, square_of};
pub use perft::perft;
pub use weights::{Weights, WeightsError};

/// Temporary.
pub fn quick_solve(board: Board) -> (i32, u64) {
    let table = table::Table::new(512).unwrap();
    let mut w = worker::Worker {
        table: &table,
        edges: stability::edges(),
        nodes: 0,
    };
    let n = board.empties();
    let (mut lo, mut hi) = (-64, 64);
    let mut g = 0;
    while lo < hi {
        let s = w.end(board, g - 1, n);
        if s > g - 1 {
            lo = s;
            g = s + 2;
            if g > 64 {
                g = 64;
            }
            if lo >= hi {
                break;
            }
            g = g.min(hi);
        } else {
            hi = s;
            g = s;
        }
        if lo == hi {
            break;
        }
        if g <= lo {
            g = lo + 1;
        }
    }
    (lo, w.nodes)
}
