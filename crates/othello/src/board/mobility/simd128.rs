//! Mobility with WebAssembly's 128-bit vectors: the board in one lane, its vertical mirror in the
//! other, so that one shift serves two opposite directions. The horizontal directions are scalar.

use core::arch::wasm32::*;

const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Returns the empty squares on which `me` flips at least one disc of `opp`.
#[inline(always)]
pub(crate) fn moves(me: u64, opp: u64) -> u64 {
    let mine = with_mirror(me);
    let theirs = with_mirror(opp);
    // Discs on the outer columns can be flipped vertically only.
    let inner = v128_and(theirs, u64x2_splat(INNER));
    let found = v128_or(
        v128_or(fill::<7, 14>(mine, inner), fill::<9, 18>(mine, inner)),
        fill::<8, 16>(mine, theirs),
    );
    let vertical = v128_or(found, upper_mirrored(found));
    (u64x2_extract_lane::<0>(vertical) | horizontal(me, opp & INNER)) & !(me | opp)
}

/// Returns a board, and its mirror in the high lane: the first rank becomes the last.
#[inline(always)]
fn with_mirror(board: u64) -> v128 {
    let both = u64x2_splat(board);
    i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8>(both, both)
}

/// Returns the mirror of the high lane in the low one.
#[inline(always)]
fn upper_mirrored(both: v128) -> v128 {
    i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(both, both)
}

/// Returns the squares behind a run of `theirs` that begins next to a square of `mine`, in steps of
/// `STEP`.
#[inline(always)]
fn fill<const STEP: u32, const TWO_STEPS: u32>(mine: v128, theirs: v128) -> v128 {
    let mut run = v128_and(theirs, i64x2_shl(mine, STEP));
    run = v128_or(run, v128_and(theirs, i64x2_shl(run, STEP)));
    // Pairs of adjacent discs let the fill grow by two squares at a time.
    let pairs = v128_and(theirs, i64x2_shl(theirs, STEP));
    run = v128_or(run, v128_and(pairs, i64x2_shl(run, TWO_STEPS)));
    run = v128_or(run, v128_and(pairs, i64x2_shl(run, TWO_STEPS)));
    i64x2_shl(run, STEP)
}

/// Does the same to the right and to the left. An addition carries through a whole run to the
/// right.
#[inline(always)]
fn horizontal(me: u64, inner: u64) -> u64 {
    let right = {
        let starts = (me << 1) & inner;
        // Where a run of theirs starts next to mine, adding its first square carries to the square
        // behind it. Runs end at the h-file at the latest, which `inner` excludes.
        starts.wrapping_add(inner) & !inner
    };
    let mut run = inner & (me >> 1);
    run |= inner & (run >> 1);
    let pairs = inner & (inner >> 1);
    run |= pairs & (run >> 2);
    run |= pairs & (run >> 2);
    right | run >> 1
}
