//! Incremental indices with WebAssembly's 128-bit vectors: eight lanes in a register.
//!
//! Written out because a module is linked with optimisation for size, which does not vectorise loops.
#![allow(unsafe_code)]

use super::{Features, Indices, LANES, VECTORS};
use crate::board::square::{Square, Squares};
use core::arch::wasm32::*;

/// All lanes.
type Registers = [v128; LANES / 8];

/// Returns the indices of both sides after a move on `square` that flips `flips`, for the next mover.
#[inline(always)]
pub(super) fn after(features: &Features, square: Square, flips: u64) -> Features {
    let flipped = flip_vector(flips);
    let placed = load(&VECTORS[square.index()]);
    let (mine, theirs) = (load(&features.mine), load(&features.theirs));
    // A flipped disc changes digit 2 to 1 in one view and 1 to 2 in the other: both indices
    // move by the same vector, in opposite directions.
    Features {
        mine: store(std::array::from_fn(|part| {
            let twice = i16x8_add(placed[part], placed[part]);
            i16x8_add(i16x8_add(theirs[part], flipped[part]), twice)
        })),
        theirs: store(std::array::from_fn(|part| {
            i16x8_add(i16x8_sub(mine[part], flipped[part]), placed[part])
        })),
    }
}

/// Returns the indices of the next mover alone.
#[inline(always)]
pub(super) fn mine_after(features: &Features, square: Square, flips: u64) -> Indices {
    let flipped = flip_vector(flips);
    let placed = load(&VECTORS[square.index()]);
    let theirs = load(&features.theirs);
    store(std::array::from_fn(|part| {
        let twice = i16x8_add(placed[part], placed[part]);
        i16x8_add(i16x8_add(theirs[part], flipped[part]), twice)
    }))
}

/// Returns the sum of the vectors of the flipped squares.
#[inline(always)]
fn flip_vector(flips: u64) -> Registers {
    let mut sum = [i16x8_splat(0); LANES / 8];
    for square in Squares(flips) {
        let vector = load(&VECTORS[square.index()]);
        for (sum, part) in sum.iter_mut().zip(vector) {
            *sum = i16x8_add(*sum, part);
        }
    }
    sum
}

#[inline(always)]
fn load(indices: &Indices) -> Registers {
    let first: *const v128 = indices.0.as_ptr().cast();
    // SAFETY: the indices are as many 16-bit numbers as the registers have lanes.
    std::array::from_fn(|part| unsafe { v128_load(first.add(part)) })
}

#[inline(always)]
fn store(registers: Registers) -> Indices {
    let mut indices = Indices([0; LANES]);
    let first: *mut v128 = indices.0.as_mut_ptr().cast();
    for (part, register) in registers.into_iter().enumerate() {
        // SAFETY: the indices are as many 16-bit numbers as the registers have lanes.
        unsafe { v128_store(first.add(part), register) };
    }
    indices
}
