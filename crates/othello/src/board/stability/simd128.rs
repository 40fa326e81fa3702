//! Stability with WebAssembly's 128-bit vectors: full lines of two directions in a register.
#![allow(unsafe_code)]

use super::{BORDER, ROUNDS};
use crate::board::geometry::LINES;
use crate::board::square::Squares;
use core::arch::wasm32::*;

/// Grows the stable discs `known` of `me`: a disc is stable if in each direction it lies on a full
/// line or next to a stable disc.
#[inline(always)]
pub(crate) fn grow<const MAX_EMPTIES: usize>(me: u64, empty: u64, known: u64) -> u64 {
    let [first, second] = full_lines::<MAX_EMPTIES>(empty);
    let full = [
        u64x2_extract_lane::<0>(first),
        u64x2_extract_lane::<1>(first),
        u64x2_extract_lane::<0>(second),
        u64x2_extract_lane::<1>(second),
    ];
    let mut stable = known | me & full[0] & full[1] & full[2] & full[3];
    let inner = me & !BORDER;
    // Lanes cannot be shifted by different counts, so that the growth is scalar.
    for _ in 0..ROUNDS {
        let supported =
            |direction: usize, step: u32| full[direction] | stable << step | stable >> step;
        stable |= inner & supported(0, 1) & supported(1, 7) & supported(2, 8) & supported(3, 9);
    }
    stable
}

/// Returns, for each direction, the squares whose line in it is full. Always visits `MAX_EMPTIES`
/// squares if that is known: stopping at the last one would cost a branch.
#[inline(always)]
fn full_lines<const MAX_EMPTIES: usize>(empty: u64) -> [v128; 2] {
    let mut first = u64x2_splat(0);
    let mut second = u64x2_splat(0);
    let mut close = |square: usize| {
        // SAFETY: the loads read 16 bytes each from an array of four `u64`.
        unsafe {
            let lines: *const v128 = LINES[square].as_ptr().cast();
            first = v128_or(first, v128_load(lines));
            second = v128_or(second, v128_load(lines.add(1)));
        }
    };
    if MAX_EMPTIES > 0 {
        let mut rest = empty;
        for _ in 0..MAX_EMPTIES {
            close(rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
        }
    } else {
        for square in Squares(empty) {
            close(square.index());
        }
    }
    [v128_not(first), v128_not(second)]
}
