//! Mobility with AVX2: four directions in the lanes, upward and downward.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Returns the empty squares on which `me` flips at least one disc of `opp`.
#[inline(always)]
pub(crate) fn moves(me: u64, opp: u64) -> u64 {
    // SAFETY: this module is compiled only where the target has AVX2; no memory is touched.
    unsafe {
        let step = _mm256_set_epi64x(9, 8, 7, 1);
        let step2 = _mm256_set_epi64x(18, 16, 14, 2);
        let mine = _mm256_set1_epi64x(me as i64);
        // Discs on the outer columns can be flipped vertically only.
        let theirs = _mm256_and_si256(
            _mm256_set1_epi64x(opp as i64),
            _mm256_set_epi64x(INNER, -1, INNER, INNER),
        );
        let mut up = _mm256_and_si256(theirs, _mm256_sllv_epi64(mine, step));
        let mut down = _mm256_and_si256(theirs, _mm256_srlv_epi64(mine, step));
        up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(
            down,
            _mm256_and_si256(theirs, _mm256_srlv_epi64(down, step)),
        );
        // Pairs of adjacent discs let the fill grow by two squares at a time.
        let pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
        down = _mm256_or_si256(
            down,
            _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)),
        );
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
        down = _mm256_or_si256(
            down,
            _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)),
        );
        let found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
        let half = _mm_or_si128(
            _mm256_castsi256_si128(found),
            _mm256_extracti128_si256::<1>(found),
        );
        let all = _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64;
        all & !(me | opp)
    }
}
