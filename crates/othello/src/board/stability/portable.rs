//! Stability without vector instructions.

use super::{BORDER, ROUNDS};
use crate::board::geometry::LINES;
use crate::board::square::Squares;

/// Grows the stable discs `known` of `me`: a disc is stable if in each direction it lies on a full
/// line or next to a stable disc.
#[inline(always)]
pub(crate) fn grow<const MAX_EMPTIES: usize>(me: u64, empty: u64, known: u64) -> u64 {
    let mut open = [0; 4];
    for square in Squares(empty) {
        for (open, line) in open.iter_mut().zip(LINES[square.index()]) {
            *open |= line;
        }
    }
    let full = open.map(|open| !open);
    let mut stable = known | me & full[0] & full[1] & full[2] & full[3];
    let inner = me & !BORDER;
    for _ in 0..ROUNDS {
        let supported =
            |direction: usize, step: u32| full[direction] | stable << step | stable >> step;
        stable |= inner & supported(0, 1) & supported(1, 7) & supported(2, 8) & supported(3, 9);
    }
    stable
}
