//! Inference with AVX2: sixteen channels, or eight hidden units, in a register.
#![allow(unsafe_code)]

use super::{
    CHANNEL_ONE, CHANNELS, FeatureRow, HIDDEN_INPUTS, HIDDEN_UNITS, INPUT_BITS, Indices, PADDING,
    PackedStack, TABLE_SIZE, WEIGHT_BITS,
};
use crate::eval::patterns::for_each_instance;
use core::arch::x86_64::*;

/// Inputs of the hidden units, aligned for vector stores.
#[repr(align(32))]
struct Inputs([i16; HIDDEN_INPUTS]);

/// Returns the output of the network before the final shift.
#[inline(always)]
pub(super) fn forward(
    rows: &[FeatureRow],
    stack: &PackedStack,
    indices: &Indices,
    mobility: [i16; 4],
) -> i32 {
    const { assert!(CHANNELS == 32, "two registers of sixteen channels") };
    const { assert!(HIDDEN_UNITS == 16, "two registers of eight units") };
    assert!(rows.len() == TABLE_SIZE + PADDING);
    let mut inputs = Inputs([0; HIDDEN_INPUTS]);
    inputs.0[HIDDEN_INPUTS - 4..].copy_from_slice(&mobility);
    // SAFETY: this module is compiled only where the target has AVX2. `OFFSET` is below
    // `TABLE_SIZE`, the index is a `u16`, and there are `TABLE_SIZE` + 65,536 rows of 32 bytes. The
    // arrays of the stack hold 32 and 16 `i16`, 16 `i32`, and 64 bytes for each pair of inputs;
    // there are 48 `i16` inputs before the mobility.
    unsafe {
        let first: *const __m128i = rows.as_ptr().cast();
        let bias: *const __m256i = stack.channel_bias.as_ptr().cast();
        let mut low = _mm256_loadu_si256(bias);
        let mut high = _mm256_loadu_si256(bias.add(1));
        for_each_instance!(INSTANCE, OFFSET, {
            let row = first.add(2 * (OFFSET + usize::from(indices.0[INSTANCE])));
            low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(_mm_loadu_si128(row)));
            high = _mm256_add_epi16(high, _mm256_cvtepi8_epi16(_mm_loadu_si128(row.add(1))));
        });
        let clip = |sums: __m256i| {
            let positive = _mm256_max_epi16(sums, _mm256_setzero_si256());
            let clipped = _mm256_min_epi16(positive, _mm256_set1_epi16(CHANNEL_ONE - 1));
            _mm256_slli_epi16::<5>(clipped)
        };
        let (low, high) = (clip(low), clip(high));
        let to: *mut __m256i = inputs.0.as_mut_ptr().cast();
        _mm256_store_si256(to, _mm256_mulhi_epi16(low, low));
        _mm256_store_si256(to.add(1), _mm256_mulhi_epi16(high, high));
        _mm256_store_si256(to.add(2), _mm256_mulhi_epi16(low, high));

        let begin: *const __m256i = stack.hidden_bias.as_ptr().cast();
        let mut left = _mm256_loadu_si256(begin);
        let mut right = _mm256_loadu_si256(begin.add(1));
        let pairs: *const __m256i = stack.weight_pairs.as_ptr().cast();
        let read: *const i32 = inputs.0.as_ptr().cast();
        for pair in 0..HIDDEN_INPUTS / 2 {
            let both = _mm256_set1_epi32(read.add(pair).read());
            let weights = pairs.add(2 * pair);
            let first = _mm256_madd_epi16(both, _mm256_loadu_si256(weights));
            let second = _mm256_madd_epi16(both, _mm256_loadu_si256(weights.add(1)));
            left = _mm256_add_epi32(left, first);
            right = _mm256_add_epi32(right, second);
        }
        const BITS: i32 = (INPUT_BITS + WEIGHT_BITS - 15) as i32;
        let both = _mm256_packs_epi32(
            _mm256_srai_epi32::<BITS>(left),
            _mm256_srai_epi32::<BITS>(right),
        );
        // `packs` works on 128-bit halves and leaves units 0-3, 8-11, 4-7, 12-15.
        let units = _mm256_permute4x64_epi64::<0b11_01_10_00>(both);
        let clipped = _mm256_max_epi16(units, _mm256_setzero_si256());
        let out = _mm256_loadu_si256(stack.output_weights.as_ptr().cast());
        let all = _mm256_madd_epi16(_mm256_mulhi_epi16(clipped, clipped), out);
        let half = _mm_add_epi32(
            _mm256_castsi256_si128(all),
            _mm256_extracti128_si256::<1>(all),
        );
        let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
        let one = _mm_add_epi32(pair, _mm_shuffle_epi32::<0b10_11_00_01>(pair));
        _mm_cvtsi128_si32(one)
    }
}
