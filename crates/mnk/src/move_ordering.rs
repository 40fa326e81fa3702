//! Which cells look promising: those on many lines with many stones.

use papan_rules::Player;

use crate::lines::Cell;
use crate::state::State;

/// How promising a cell is for a side: longer lines count more, the other's nearly
/// as much as one's own.
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
