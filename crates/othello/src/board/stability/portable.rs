//! The same, one direction after the other.

use super::{BORDER, ROUNDS};
use crate::board::geometry::LINES;
use crate::board::square::Squares;

/// What is stable of `me` if `known` is: a disc that in each direction lies on a full line or beside a stable disc.
#[inline(always)]
pub(crate) fn grown<const MOST: usize>(me: u64, empty: u64, known: u64) -> u64 {
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
        let held = |direction: usize, step: u32| full[direction] | stable << step | stable >> step;
        stable |= inner & held(0, 1) & held(1, 7) & held(2, 8) & held(3, 9);
    }
    stable
}
