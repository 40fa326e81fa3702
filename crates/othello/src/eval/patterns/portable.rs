//! Incremental indices in loops over the lanes, which the compiler turns into vector instructions.
// Lanes of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use super::{Features, Indices, LANES, VECTORS};
use crate::board::square::{Square, Squares};

/// Returns the indices of both sides after a move on `square` that flips `flips`, for the next mover.
#[inline(always)]
pub(super) fn after(features: &Features, square: Square, flips: u64) -> Features {
    let flipped = flip_vector(flips);
    let placed = &VECTORS[square.index()].0;
    let mut next = *features;
    // A flipped disc changes digit 2 to 1 in one view and 1 to 2 in the other: both indices
    // move by the same vector, in opposite directions.
    for lane in 0..LANES {
        next.mine.0[lane] = features.theirs.0[lane]
            .wrapping_add(flipped.0[lane])
            .wrapping_add(placed[lane])
            .wrapping_add(placed[lane]);
        next.theirs.0[lane] = features.mine.0[lane]
            .wrapping_sub(flipped.0[lane])
            .wrapping_add(placed[lane]);
    }
    next
}

/// Returns the indices of the next mover alone.
#[inline(always)]
pub(super) fn mine_after(features: &Features, square: Square, flips: u64) -> Indices {
    let flipped = flip_vector(flips);
    let placed = &VECTORS[square.index()].0;
    let mut mine = features.theirs;
    for lane in 0..LANES {
        mine.0[lane] = mine.0[lane]
            .wrapping_add(flipped.0[lane])
            .wrapping_add(placed[lane])
            .wrapping_add(placed[lane]);
    }
    mine
}

/// Returns the sum of the vectors of the flipped squares.
#[inline(always)]
fn flip_vector(flips: u64) -> Indices {
    let mut sum = Indices([0; LANES]);
    for square in Squares(flips) {
        for lane in 0..LANES {
            sum.0[lane] = sum.0[lane].wrapping_add(VECTORS[square.index()].0[lane]);
        }
    }
    sum
}
