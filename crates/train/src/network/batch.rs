//! Mini-batches: chunks of positions that compute gradients, shards of feature rows that sum them.
//!
//! A chunk computes its positions without writing to the rows. Then every shard goes through the
//! whole batch in order and adds the gradients of its own rows, so that the sums do not depend on
//! the number of threads.

use std::ops::Range;

use papan_othello::eval::PATTERNS;
use papan_othello::eval::network::{CHANNELS, HIDDEN_INPUTS, HIDDEN_UNITS, PLIES};

use super::adam::AdamStep;

/// Positions per chunk.
pub(super) const CHUNK: usize = 2048;

/// Buffers that are reused by every batch.
pub(super) struct Buffers {
    /// The rows that each position reads, by chunk and pattern.
    pub(super) rows_read: Vec<[[u32; CHUNK]; PATTERNS]>,
    /// The gradient of each position with respect to the channels.
    pub(super) channel_gradients: Vec<[f32; CHANNELS]>,
    pub(super) gradients: Vec<Gradient>,
    pub(super) row_gradients: Vec<f32>,
    /// For each pattern, the rows that it can read.
    pub(super) ranges: Vec<Range<usize>>,
}

impl Buffers {
    pub(super) fn new(batch: usize, rows: usize) -> Self {
        Self {
            rows_read: vec![[[0; CHUNK]; PATTERNS]; batch.div_ceil(CHUNK)],
            channel_gradients: vec![[0.0; CHANNELS]; batch],
            gradients: vec![Gradient::zero(); batch.div_ceil(CHUNK)],
            row_gradients: vec![0.0; rows],
            ranges: papan_othello::eval::shared_weight_ranges(),
        }
    }
}

/// The gradient of all parameters except the rows, and the sum of squared errors.
#[derive(Clone)]
pub(super) struct Gradient {
    pub(super) channel_bias: Vec<f32>,
    pub(super) hidden_weights: Vec<f32>,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) output_weights: Vec<f32>,
    pub(super) output_bias: Vec<f32>,
    pub(super) squared_error: f64,
}

impl Gradient {
    pub(super) fn zero() -> Self {
        Self {
            channel_bias: vec![0.0; PLIES * CHANNELS],
            hidden_weights: vec![0.0; PLIES * HIDDEN_INPUTS * HIDDEN_UNITS],
            hidden_bias: vec![0.0; PLIES * HIDDEN_UNITS],
            output_weights: vec![0.0; PLIES * HIDDEN_UNITS],
            output_bias: vec![0.0; PLIES],
            squared_error: 0.0,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let add = |to: &mut [f32], from: &[f32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.channel_bias, &other.channel_bias);
        add(&mut self.hidden_weights, &other.hidden_weights);
        add(&mut self.hidden_bias, &other.hidden_bias);
        add(&mut self.output_weights, &other.output_weights);
        add(&mut self.output_bias, &other.output_bias);
        self.squared_error += other.squared_error;
    }
}

/// A part of a batch, computed by one job.
pub(super) struct Chunk<'a> {
    /// Indices of the positions.
    pub(super) order: &'a [u32],
    pub(super) rows_read: &'a mut [[u32; CHUNK]; PATTERNS],
    pub(super) channel_gradients: &'a mut [[f32; CHANNELS]],
    pub(super) gradient: &'a mut Gradient,
}

/// A part of the rows, updated by one job.
pub(super) struct Shard<'a> {
    pub(super) first_row: usize,
    pub(super) value: &'a mut [f32],
    pub(super) mean: &'a mut [f32],
    pub(super) square: &'a mut [f32],
    pub(super) gradient: &'a mut [f32],
}

impl Shard<'_> {
    /// Sums the gradients of the rows over the batch and updates the rows.
    pub(super) fn update(
        self,
        step: AdamStep,
        ranges: &[Range<usize>],
        rows_read: &[[[u32; CHUNK]; PATTERNS]],
        channel_gradients: &[[f32; CHANNELS]],
    ) {
        self.gradient.fill(0.0);
        let end = self.first_row + self.value.len() / CHANNELS;
        for (pattern, range) in ranges.iter().enumerate() {
            if range.end <= self.first_row || range.start >= end {
                continue;
            }
            for (rows_read, gradients) in rows_read.iter().zip(channel_gradients.chunks(CHUNK)) {
                for (&row, gradient) in rows_read[pattern].iter().zip(gradients) {
                    let row = row as usize;
                    if self.first_row <= row && row < end {
                        let at = (row - self.first_row) * CHANNELS;
                        let sum = &mut self.gradient[at..][..CHANNELS];
                        for channel in 0..CHANNELS {
                            sum[channel] += gradient[channel];
                        }
                    }
                }
            }
        }
        let parameters = self.value.iter_mut().zip(self.mean).zip(self.square);
        for (((value, mean), square), &mut gradient) in parameters.zip(self.gradient) {
            step.update(value, mean, square, gradient);
        }
    }
}
