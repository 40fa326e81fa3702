//! Inference without vector instructions.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use super::{
    CHANNEL_ONE, CHANNELS, FeatureRow, HIDDEN_INPUTS, HIDDEN_UNITS, INPUT_BITS, Indices,
    PackedStack, WEIGHT_BITS,
};
use crate::eval::patterns::{INSTANCE_OFFSETS, PATTERNS};

/// Returns the output of the network before the final shift.
pub(super) fn forward(
    rows: &[FeatureRow],
    stack: &PackedStack,
    indices: &Indices,
    mobility: [i16; 4],
) -> i32 {
    let mut sums = stack.channel_bias;
    for instance in 0..PATTERNS {
        let row = &rows[INSTANCE_OFFSETS[instance] as usize + usize::from(indices.0[instance])];
        for channel in 0..CHANNELS {
            sums[channel] = sums[channel].wrapping_add(i16::from(row.0[channel]));
        }
    }
    let clipped = sums.map(|sum| i32::from(sum.clamp(0, CHANNEL_ONE - 1)) << 5);
    let product = |a: i32, b: i32| (a * b) >> 16;
    let half = CHANNELS / 2;
    let mut inputs = [0; HIDDEN_INPUTS];
    for channel in 0..CHANNELS {
        inputs[channel] = product(clipped[channel], clipped[channel]);
    }
    for channel in 0..half {
        inputs[CHANNELS + channel] = product(clipped[channel], clipped[channel + half]);
    }
    for (input, mobility) in inputs[CHANNELS + half..].iter_mut().zip(mobility) {
        *input = i32::from(mobility);
    }
    let mut units = stack.hidden_bias;
    for (pair, inputs) in stack.weight_pairs.iter().zip(inputs.as_chunks::<2>().0) {
        for unit in 0..HIDDEN_UNITS {
            let [first, second] = pair[unit].map(i32::from);
            units[unit] += first * inputs[0] + second * inputs[1];
        }
    }
    let mut output = 0;
    for unit in 0..HIDDEN_UNITS {
        let clipped = (units[unit] >> (INPUT_BITS + WEIGHT_BITS - 15)).clamp(0, 32767);
        output += product(clipped, clipped) * i32::from(stack.output_weights[unit]);
    }
    output
}
