//! Which cells look promising: those on many windows with many stones.

use papan_rules::Player;

use crate::state::State;
use crate::windows::Cell;

/// How promising a cell is for a side: longer windows count more, the other's nearly
/// as much as one's own.
#[must_use]
pub fn worth(state: &State, side: Player, cell: Cell) -> i32 {
    let (me, other) = (side.index(), side.other().index());
    let mut sum = 0;
    for &window in state.windows().through(cell) {
        let counts = state.counts(window as usize);
        sum += match (counts[me], counts[other]) {
            (own, 0) => 3 << (2 * own.min(6)),
            (0, others) => 2 << (2 * others.min(6)),
            _ => 0,
        };
    }
    sum
}
