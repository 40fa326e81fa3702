//! A batch on its way: chunks of positions that pass gradients back, shards of rows that take them.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use papan_othello::eval::PATTERNS;
use papan_othello::eval::network::{CHANNELS, HIDDEN_INPUTS, HIDDEN_UNITS, PLIES};

use super::adam::Step;

/// Positions that one job computes.
pub(super) const CHUNK: usize = 2048;

/// Memory that every batch uses again.
pub(super) struct Buffers {
    pub(super) read: Vec<[[u32; CHUNK]; PATTERNS]>,
    pub(super) back: Vec<[f32; CHANNELS]>,
    pub(super) gradients: Vec<Gradient>,
    pub(super) rows: Vec<f32>,
    /// For each slot, the rows that it can read.
    pub(super) ranges: Vec<Range<usize>>,
}

impl Buffers {
    pub(super) fn new(batch: usize, rows: usize) -> Self {
        Self {
            read: vec![[[0; CHUNK]; PATTERNS]; batch.div_ceil(CHUNK)],
            back: vec![[0.0; CHANNELS]; batch],
            gradients: vec![Gradient::zero(); batch.div_ceil(CHUNK)],
            rows: vec![0.0; rows],
            ranges: papan_othello::eval::shared_weight_ranges(),
        }
    }
}

/// The gradients of everything but the rows, and the sum of squared errors.
#[derive(Clone)]
pub(super) struct Gradient {
    pub(super) bias: Vec<f32>,
    pub(super) weights: Vec<f32>,
    pub(super) begin: Vec<f32>,
    pub(super) out: Vec<f32>,
    pub(super) offset: Vec<f32>,
    pub(super) error: f64,
}

impl Gradient {
    pub(super) fn zero() -> Self {
        Self {
            bias: vec![0.0; PLIES * CHANNELS],
            weights: vec![0.0; PLIES * HIDDEN_INPUTS * HIDDEN_UNITS],
            begin: vec![0.0; PLIES * HIDDEN_UNITS],
            out: vec![0.0; PLIES * HIDDEN_UNITS],
            offset: vec![0.0; PLIES],
            error: 0.0,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let add = |to: &mut [f32], from: &[f32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.bias, &other.bias);
        add(&mut self.weights, &other.weights);
        add(&mut self.begin, &other.begin);
        add(&mut self.out, &other.out);
        add(&mut self.offset, &other.offset);
        self.error += other.error;
    }
}

/// One chunk of a batch on its way: what is read, and what every position passes back.
pub(super) struct Chunk<'a> {
    pub(super) order: &'a [u32],
    /// What every position reads, slot by slot.
    pub(super) read: &'a mut [[u32; CHUNK]; PATTERNS],
    pub(super) back: &'a mut [[f32; CHANNELS]],
    pub(super) gradient: &'a mut Gradient,
}

/// A part of the rows, with their gradients.
pub(super) struct Shard<'a> {
    pub(super) first: usize,
    pub(super) value: &'a mut [f32],
    pub(super) mean: &'a mut [f32],
    pub(super) square: &'a mut [f32],
    pub(super) gradient: &'a mut [f32],
}

impl Shard<'_> {
    pub(super) fn step(
        self,
        step: Step,
        kinds: &[Range<usize>],
        read: &[[[u32; CHUNK]; PATTERNS]],
        back: &[[f32; CHANNELS]],
    ) {
        self.gradient.fill(0.0);
        let last = self.first + self.value.len() / CHANNELS;
        for (slot, kind) in kinds.iter().enumerate() {
            if kind.end <= self.first || kind.start >= last {
                continue;
            }
            for (read, back) in read.iter().zip(back.chunks(CHUNK)) {
                for (&row, back) in read[slot].iter().zip(back) {
                    let row = row as usize;
                    if self.first <= row && row < last {
                        let to = &mut self.gradient[(row - self.first) * CHANNELS..][..CHANNELS];
                        for channel in 0..CHANNELS {
                            to[channel] += back[channel];
                        }
                    }
                }
            }
        }
        let all = self.value.iter_mut().zip(self.mean).zip(self.square);
        for (((value, mean), square), &mut gradient) in all.zip(self.gradient) {
            step.take(value, mean, square, gradient);
        }
    }
}
