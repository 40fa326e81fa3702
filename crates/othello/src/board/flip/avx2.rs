//! Flips with AVX2: each 64-bit lane holds one of four directions.
#![allow(unsafe_code)]

use crate::board::geometry::{RAYS_DOWN, RAYS_UP};
use crate::board::square::Square;
use core::arch::x86_64::*;

/// Returns the discs of `opp` that `me` flips by playing on the empty `square`.
#[inline(always)]
pub(crate) fn flips(me: u64, opp: u64, square: Square) -> u64 {
    // SAFETY: this module is compiled only where the target has AVX2; the loads read 32 bytes
    // from arrays of four `u64`.
    unsafe {
        let mine = _mm256_set1_epi64x(me as i64);
        let theirs = _mm256_set1_epi64x(opp as i64);
        let up = _mm256_loadu_si256(RAYS_UP[square.index()].as_ptr().cast());
        let down = _mm256_loadu_si256(RAYS_DOWN[square.index()].as_ptr().cast());
        let zero = _mm256_setzero_si256();

        // Upward rays: the lowest square that is not theirs blocks.
        let blockers = _mm256_andnot_si256(theirs, up);
        let nearest = _mm256_and_si256(blockers, _mm256_sub_epi64(zero, blockers));
        let outflank = _mm256_and_si256(nearest, mine);
        // All ones from the outflanking disc upward, or everywhere when there is none.
        let kept = _mm256_sub_epi64(_mm256_cmpeq_epi64(outflank, zero), outflank);
        let flipped_up = _mm256_andnot_si256(kept, up);

        // Downward rays: the highest square that is not theirs blocks, so mine must compare greater
        // than the empty ones. No downward ray holds bit 63, so the signed comparison is right.
        let own = _mm256_and_si256(mine, down);
        let empty = _mm256_andnot_si256(theirs, _mm256_andnot_si256(mine, down));
        let reached = _mm256_and_si256(_mm256_cmpgt_epi64(own, empty), down);
        let step = _mm256_set_epi64x(9, 8, 7, 1);
        let step2 = _mm256_set_epi64x(18, 16, 14, 2);
        let step4 = _mm256_set_epi64x(36, 32, 28, 4);
        let mut shade = _mm256_or_si256(own, _mm256_srlv_epi64(own, step));
        shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step2));
        shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step4));
        let flipped_down = _mm256_andnot_si256(shade, reached);

        let flipped = _mm256_or_si256(flipped_up, flipped_down);
        let half = _mm_or_si128(
            _mm256_castsi256_si128(flipped),
            _mm256_extracti128_si256::<1>(flipped),
        );
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }
}
