//! Static move ordering: a cell is worth more the more and the longer the live lines through it are.

use papan_rules::Player;

use crate::lines::Cell;
use crate::state::State;

/// Scores a cell for a side. Each stone on a live line multiplies its weight by four; lines of the
/// opponent count two thirds of one's own, because blocking is nearly as good as extending.
#[must_use]
pub fn score_cell(state: &State, side: Player, cell: Cell) -> i32 {
    let (me, other) = (side.index(), side.other().index());
    let mut sum = 0;
    for &line in state.lines().through(cell) {
        let counts = state.counts(line as usize);
        sum += match (counts[me], counts[other]) {
            (own, 0) => 3 << (2 * own.min(6)),
            (0, others) => 2 << (2 * others.min(6)),
            _ => 0,
        };
    }
    sum
}
