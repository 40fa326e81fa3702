//! Flips with WebAssembly's 128-bit vectors: each 64-bit lane holds one of two directions.
//!
//! These vectors have no shift by a different count in each lane, so that the rays towards lower
//! squares cannot be filled as with AVX2. Instead they are turned into rays towards higher squares
//! by mirroring the board vertically, which is one byte shuffle. The ray to the left is
//! computed separately.
#![allow(unsafe_code)]

use crate::board::geometry::{RAYS_DOWN, RAYS_UP};
use crate::board::square::Square;
use core::arch::wasm32::*;

/// Returns the discs of `opp` that `me` flips by playing on the empty `square`.
#[inline(always)]
pub(crate) fn flips(me: u64, opp: u64, square: Square) -> u64 {
    let (mine, theirs) = (u64x2_splat(me), u64x2_splat(opp));
    let upward = both_pairs(mine, theirs, &RAYS_UP[square.index()]);
    // The ray to the right is computed a second time, in the mirror, and found equal.
    let mirrored = both_pairs(mirror(mine), mirror(theirs), &RAYS_UP[square.index() ^ 56]);
    let all = v128_or(upward, mirror(mirrored));
    u64x2_extract_lane::<0>(all) | u64x2_extract_lane::<1>(all) | left(me, opp, square)
}

/// Mirrors the board in both lanes: the first rank becomes the last.
#[inline(always)]
fn mirror(board: v128) -> v128 {
    i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(board, board)
}

#[inline(always)]
fn both_pairs(mine: v128, theirs: v128, rays: &[u64; 4]) -> v128 {
    // SAFETY: the loads read 16 bytes each from an array of four `u64`.
    let (first, second) = unsafe {
        let rays: *const v128 = rays.as_ptr().cast();
        (v128_load(rays), v128_load(rays.add(1)))
    };
    v128_or(
        outflanked(mine, theirs, first),
        outflanked(mine, theirs, second),
    )
}

/// Returns the squares of two upward rays before the nearest square that is not theirs, if it is
/// mine.
#[inline(always)]
fn outflanked(mine: v128, theirs: v128, rays: v128) -> v128 {
    let blockers = v128_andnot(rays, theirs);
    let nearest = v128_and(blockers, i64x2_neg(blockers));
    let outflank = v128_and(nearest, mine);
    // All ones from the outflanking disc upward, or everywhere when there is none.
    let kept = i64x2_sub(i64x2_eq(outflank, i64x2_splat(0)), outflank);
    v128_andnot(rays, kept)
}

/// Returns the flips on the ray to the left.
#[inline(always)]
fn left(me: u64, opp: u64, square: Square) -> u64 {
    let ray = RAYS_DOWN[square.index()][0];
    let blockers = ray & !opp;
    let outflank = (1u64 << (63 - (blockers | 1).leading_zeros())) & blockers & me;
    // The bits above the outflanking disc, or none.
    ray & outflank.wrapping_neg() & !outflank
}
