//! Stability with AVX2: each 64-bit lane holds one of four directions.
#![allow(unsafe_code)]

use super::{BORDER, ROUNDS};
use crate::board::geometry::LINES;
use crate::board::square::Squares;
use core::arch::x86_64::*;

/// Grows the stable discs `known` of `me`: a disc is stable if in each direction it lies on a full
/// line or next to a stable disc.
#[inline(always)]
pub(crate) fn grow<const MAX_EMPTIES: usize>(me: u64, empty: u64, known: u64) -> u64 {
    // SAFETY: this module is compiled only where the target has AVX2; no memory is touched.
    unsafe {
        let full = full_lines::<MAX_EMPTIES>(empty);
        let mine = _mm256_set1_epi64x(me as i64);
        let inner = _mm256_set1_epi64x((me & !BORDER) as i64);
        let step = _mm256_set_epi64x(9, 8, 7, 1);
        let known = _mm256_set1_epi64x(known as i64);
        let mut stable = _mm256_or_si256(known, _mm256_and_si256(mine, in_all(full)));
        for _ in 0..ROUNDS {
            // Bits shifted past the edge land on the border, which `inner` excludes.
            let adjacent = _mm256_or_si256(
                _mm256_sllv_epi64(stable, step),
                _mm256_srlv_epi64(stable, step),
            );
            let supported = in_all(_mm256_or_si256(adjacent, full));
            stable = _mm256_or_si256(stable, _mm256_and_si256(inner, supported));
        }
        _mm_cvtsi128_si64(_mm256_castsi256_si128(stable)) as u64
    }
}

/// Returns the intersection of the four lanes, in all lanes.
#[inline(always)]
fn in_all(lanes: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe {
        let two = _mm256_and_si256(lanes, _mm256_permute4x64_epi64::<0b01_00_11_10>(lanes));
        _mm256_and_si256(two, _mm256_shuffle_epi32::<0b01_00_11_10>(two))
    }
}

/// Returns, for each direction, the squares whose line in it is full. Always visits `MAX_EMPTIES`
/// squares if that is known: stopping at the last one would cost a branch.
#[inline(always)]
fn full_lines<const MAX_EMPTIES: usize>(empty: u64) -> __m256i {
    // SAFETY: as above; the loads read 32 bytes from arrays of four `u64`.
    unsafe {
        let lines = |square: usize| _mm256_loadu_si256(LINES[square].as_ptr().cast());
        let mut open = _mm256_setzero_si256();
        if MAX_EMPTIES > 0 {
            let mut rest = empty;
            for _ in 0..MAX_EMPTIES {
                open = _mm256_or_si256(open, lines(rest.trailing_zeros() as usize));
                rest &= rest.wrapping_sub(1);
            }
        } else {
            for square in Squares(empty) {
                open = _mm256_or_si256(open, lines(square.index()));
            }
        }
        _mm256_xor_si256(open, _mm256_set1_epi64x(-1))
    }
}
