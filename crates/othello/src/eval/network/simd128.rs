//! Inference with WebAssembly's 128-bit vectors: eight channels, or four hidden units, in a
//! register.
#![allow(unsafe_code)]

use super::{
    CHANNEL_ONE, CHANNELS, FeatureRow, HIDDEN_INPUTS, HIDDEN_UNITS, INPUT_BITS, Indices, PADDING,
    PackedStack, TABLE_SIZE, WEIGHT_BITS,
};
use crate::eval::patterns::for_each_instance;
use core::arch::wasm32::*;

/// Inputs of the hidden units, aligned for vector stores.
#[repr(align(16))]
struct Inputs([i16; HIDDEN_INPUTS]);

/// Returns the output of the network before the final shift.
#[inline(always)]
pub(super) fn forward(
    rows: &[FeatureRow],
    stack: &PackedStack,
    indices: &Indices,
    mobility: [i16; 4],
) -> i32 {
    const { assert!(CHANNELS == 32, "four registers of eight channels") };
    const { assert!(HIDDEN_UNITS == 16, "four registers of four units") };
    assert!(rows.len() == TABLE_SIZE + PADDING);
    let mut inputs = Inputs([0; HIDDEN_INPUTS]);
    inputs.0[HIDDEN_INPUTS - 4..].copy_from_slice(&mobility);
    // SAFETY: `OFFSET` is below `TABLE_SIZE`, the index is a `u16`, and there are `TABLE_SIZE` +
    // 65,536 rows of 32 bytes. The arrays of the stack hold 32 and 16 `i16`, 16 `i32`, and 64 bytes
    // for each pair of inputs; there are 48 `i16` inputs before the mobility.
    unsafe {
        let first: *const i8 = rows.as_ptr().cast();
        let bias: *const v128 = stack.channel_bias.as_ptr().cast();
        let mut sums = [0, 1, 2, 3].map(|part| v128_load(bias.add(part)));
        for_each_instance!(INSTANCE, OFFSET, {
            let row = first.add(CHANNELS * (OFFSET + usize::from(indices.0[INSTANCE])));
            sums[0] = i16x8_add(sums[0], i16x8_load_extend_i8x8(row));
            sums[1] = i16x8_add(sums[1], i16x8_load_extend_i8x8(row.add(8)));
            sums[2] = i16x8_add(sums[2], i16x8_load_extend_i8x8(row.add(16)));
            sums[3] = i16x8_add(sums[3], i16x8_load_extend_i8x8(row.add(24)));
        });
        let [a, b, c, d] = sums.map(|sums| {
            let positive = i16x8_max(sums, i16x8_splat(0));
            i16x8_min(positive, i16x8_splat(CHANNEL_ONE - 1))
        });
        let to: *mut v128 = inputs.0.as_mut_ptr().cast();
        // (x << 5) * (y << 5) >> 16 of the other code paths.
        v128_store(to, product::<6>(a, a));
        v128_store(to.add(1), product::<6>(b, b));
        v128_store(to.add(2), product::<6>(c, c));
        v128_store(to.add(3), product::<6>(d, d));
        v128_store(to.add(4), product::<6>(a, c));
        v128_store(to.add(5), product::<6>(b, d));

        let begin: *const v128 = stack.hidden_bias.as_ptr().cast();
        let mut units = [0, 1, 2, 3].map(|part| v128_load(begin.add(part)));
        let pairs: *const v128 = stack.weight_pairs.as_ptr().cast();
        let read: *const u32 = inputs.0.as_ptr().cast();
        for pair in 0..HIDDEN_INPUTS / 2 {
            let both = v128_load32_splat(read.add(pair));
            let weights = pairs.add(4 * pair);
            for (part, unit) in units.iter_mut().enumerate() {
                let dot = i32x4_dot_i16x8(both, v128_load(weights.add(part)));
                *unit = i32x4_add(*unit, dot);
            }
        }
        let [a, b, c, d] = units.map(|unit| i32x4_shr(unit, INPUT_BITS + WEIGHT_BITS - 15));
        let out: *const v128 = stack.output_weights.as_ptr().cast();
        let clip = |low, high| i16x8_max(i16x8_narrow_i32x4(low, high), i16x8_splat(0));
        let (low, high) = (clip(a, b), clip(c, d));
        let all = i32x4_add(
            i32x4_dot_i16x8(product::<16>(low, low), v128_load(out)),
            i32x4_dot_i16x8(product::<16>(high, high), v128_load(out.add(1))),
        );
        i32x4_extract_lane::<0>(all)
            + i32x4_extract_lane::<1>(all)
            + i32x4_extract_lane::<2>(all)
            + i32x4_extract_lane::<3>(all)
    }
}

/// Multiplies lane by lane and shifts the full products right; the results must fit 16 bits.
#[inline(always)]
fn product<const SHIFT: u32>(x: v128, y: v128) -> v128 {
    i16x8_narrow_i32x4(
        i32x4_shr(i32x4_extmul_low_i16x8(x, y), SHIFT),
        i32x4_shr(i32x4_extmul_high_i16x8(x, y), SHIFT),
    )
}
