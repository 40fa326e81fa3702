//! Fitting the network: Adam over shuffled mini-batches, on what the sum of patterns leaves over.
//!
//! The same games, settings and seed give the same network, whatever the number of threads:
//! every position is computed by itself, and every row of the network belongs to one job, which
//! goes through the batch in order.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

mod adam;
mod batch;

use self::adam::{Fitted, Step};
use self::batch::{Buffers, CHUNK, Chunk, Gradient, Shard};
use crate::fit::Example;
use crate::parallel::for_each;
use papan_othello::evaluation::{PATTERNS, UNIT, entries, shared_weights};
use papan_othello::network::{CHANNELS, ONE, PLIES, Ply, Row, SHIFT};
use papan_othello::weights::Weights;
use papan_othello::{Board, Evaluation};
use papan_rules::SplitMix;

/// How the fitting goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often every position is seen.
    pub epochs: usize,
    /// Positions between two steps.
    pub batch: usize,
    /// The length of the first steps; they shrink to a fiftieth of it.
    pub rate: f32,
    /// How little a rare configuration is believed: rows whose gradients are smaller than this
    /// take shorter steps.
    pub damping: f32,
    /// What order and first numbers depend on.
    pub seed: u64,
    /// How many threads work.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            epochs: 8,
            batch: 32_768,
            rate: 2e-3,
            damping: 0.5,
            seed: 1,
            threads: 1,
        }
    }
}

/// Scores are counted in this many discs while fitting.
const SCALE: f32 = 10.0;

/// What fits into a row's numbers.
const LARGEST_IN_ROW: f32 = 127.0 / ONE as f32;

/// The jobs that the rows are shared among.
const SHARDS: usize = 32;

/// What a network learns from one position.
#[derive(Clone, Copy)]
struct Lesson {
    board: Board,
    /// The score without what the sum of patterns says of it, in units of [`SCALE`].
    left_over: f32,
}

/// A network while it is fitted, in floating point.
pub struct Fit {
    settings: Settings,
    shared: &'static [u32],
    rows: Fitted,
    bias: Fitted,
    out: Fitted,
    offset: Fitted,
    steps: usize,
}

impl Fit {
    /// A network that knows nothing yet.
    pub fn new(settings: Settings) -> Self {
        let (shared, count) = shared_weights();
        let mut dice = SplitMix::new(settings.seed);
        let mut random =
            |from: f32, to: f32| from + (to - from) * dice.below(1 << 24) as f32 / (1 << 24) as f32;
        // Rows begin with nothing, so that configurations never seen say nothing; what the
        // channels learn differs by what they begin with.
        let rows = vec![0.0; count * CHANNELS];
        let begin: Vec<f32> = (0..CHANNELS).map(|_| random(0.1, 0.5)).collect();
        let out: Vec<f32> = (0..CHANNELS).map(|_| random(-0.3, 0.3)).collect();
        Self {
            settings,
            shared,
            rows: Fitted::new(rows),
            bias: Fitted::new(begin.repeat(PLIES)),
            out: Fitted::new(out.repeat(PLIES)),
            offset: Fitted::new(vec![0.0; PLIES]),
            steps: 0,
        }
    }

    /// Learns from the examples what `linear` does not say; `tell` hears after every epoch its
    /// number and the root of the mean squared error, in discs.
    pub fn learn(
        &mut self,
        linear: &Evaluation,
        examples: &[Example],
        mut tell: impl FnMut(&Self, usize, f64),
    ) {
        let mut lessons = vec![None; examples.len()];
        let jobs = lessons.chunks_mut(1 << 14).zip(examples.chunks(1 << 14));
        for_each(jobs.collect(), self.settings.threads, |(to, from)| {
            for (to, from) in to.iter_mut().zip(from) {
                let left_over = f32::from(from.score) - linear.estimate(from.board);
                *to = Some(Lesson {
                    board: from.board,
                    left_over: left_over / SCALE,
                });
            }
        });
        let lessons: Vec<Lesson> = lessons.into_iter().flatten().collect();
        let batch = self.settings.batch.min(lessons.len()).max(1);
        let all_steps = self.settings.epochs * (lessons.len() / batch);
        let mut order: Vec<u32> = (0..lessons.len() as u32).collect();
        let mut buffers = Buffers::new(batch, self.rows.value.len());
        for epoch in 0..self.settings.epochs {
            shuffle(&mut order, self.settings.seed ^ (epoch as u64 + 1) << 32);
            let mut error = 0.0;
            let mut seen = 0;
            for batch in order.chunks_exact(batch) {
                error += self.step(&lessons, batch, all_steps, &mut buffers);
                seen += batch.len();
            }
            tell(
                self,
                epoch,
                f64::from(SCALE) * (error / seen.max(1) as f64).sqrt(),
            );
        }
    }

    /// One batch: forward and back through every position, then a step of everything.
    fn step(
        &mut self,
        lessons: &[Lesson],
        batch: &[u32],
        all_steps: usize,
        buffers: &mut Buffers,
    ) -> f64 {
        let chunks = batch
            .chunks(CHUNK)
            .zip(&mut buffers.read)
            .zip(buffers.back.chunks_mut(CHUNK))
            .zip(&mut buffers.gradients)
            .map(|(((order, read), back), gradient)| Chunk {
                order,
                read,
                back,
                gradient,
            });
        for_each(chunks.collect(), self.settings.threads, |mut chunk| {
            self.compute(lessons, &mut chunk);
        });
        let mut sum = Gradient::zero();
        for gradient in &buffers.gradients[..batch.len().div_ceil(CHUNK)] {
            sum.add(gradient);
        }
        let done = self.steps as f32 / all_steps.max(1) as f32;
        let cosine = 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
        let rate = self.settings.rate * (0.02 + 0.98 * cosine);
        let step = Step {
            rate,
            damping: self.settings.damping,
            most: LARGEST_IN_ROW,
        };
        let (read, back) = (&buffers.read[..], &buffers.back[..batch.len()]);
        let size = (self.rows.value.len() / CHANNELS).div_ceil(SHARDS) * CHANNELS;
        let shards = self
            .rows
            .value
            .chunks_mut(size)
            .zip(self.rows.mean.chunks_mut(size))
            .zip(self.rows.square.chunks_mut(size))
            .zip(buffers.rows.chunks_mut(size))
            .enumerate()
            .map(|(at, (((value, mean), square), gradient))| Shard {
                first: at * size / CHANNELS,
                value,
                mean,
                square,
                gradient,
            });
        let kinds = &buffers.ranges;
        for_each(shards.collect(), self.settings.threads, |shard| {
            shard.step(step, kinds, read, back);
        });
        let free = Step {
            damping: 1e-3,
            most: 8.0,
            ..step
        };
        self.bias.step(free, &sum.bias);
        self.out.step(free, &sum.out);
        self.offset.step(free, &sum.offset);
        self.steps += 1;
        sum.error
    }

    fn compute(&self, lessons: &[Lesson], chunk: &mut Chunk<'_>) {
        *chunk.gradient = Gradient::zero();
        for (at, &lesson) in chunk.order.iter().enumerate() {
            let lesson = &lessons[lesson as usize];
            let read = entries(lesson.board).map(|at| self.shared[at as usize]);
            for (slot, &row) in read.iter().enumerate() {
                chunk.read[slot][at] = row;
            }
            let empties = lesson.board.empties() as usize;
            let place = empties * CHANNELS;
            let sums = self.sums(&read, place);
            let out = &self.out.value[place..place + CHANNELS];
            let mut told = self.offset.value[empties];
            for channel in 0..CHANNELS {
                let held = sums[channel].clamp(0.0, 1.0);
                told += held * held * out[channel];
            }
            let error = told - lesson.left_over;
            let gradient = &mut *chunk.gradient;
            gradient.error += f64::from(error * error);
            gradient.offset[empties] += error;
            for channel in 0..CHANNELS {
                let sum = sums[channel];
                let held = sum.clamp(0.0, 1.0);
                gradient.out[place + channel] += error * held * held;
                let back = if sum > 0.0 && sum < 1.0 {
                    2.0 * error * out[channel] * held
                } else {
                    0.0
                };
                gradient.bias[place + channel] += back;
                chunk.back[at][channel] = back;
            }
        }
    }

    #[inline(always)]
    fn sums(&self, read: &[u32; PATTERNS], place: usize) -> [f32; CHANNELS] {
        let mut sums: [f32; CHANNELS] =
            std::array::from_fn(|channel| self.bias.value[place + channel]);
        for &row in read {
            let row = &self.rows.value[row as usize * CHANNELS..][..CHANNELS];
            for channel in 0..CHANNELS {
                sums[channel] += row[channel];
            }
        }
        sums
    }

    /// What it adds to the sum of patterns, in discs.
    pub fn told(&self, board: Board) -> f32 {
        let read = entries(board).map(|at| self.shared[at as usize]);
        let empties = board.empties() as usize;
        let sums = self.sums(&read, empties * CHANNELS);
        let squares = sums.map(|sum| sum.clamp(0.0, 1.0).powi(2));
        let out = &self.out.value[empties * CHANNELS..];
        let told: f32 = squares.iter().zip(out).map(|(a, b)| a * b).sum();
        SCALE * (told + self.offset.value[empties])
    }

    /// Puts what was fitted beside the tables that it was fitted to.
    pub fn write_to(&self, weights: &mut Weights) {
        weights.network = Some(self.rounded());
        for (sum, offset) in weights.offsets.iter_mut().zip(self.offsets()) {
            *sum = sum.saturating_add(offset);
        }
    }

    /// What is to be added to the evaluation for each number of empty squares, in its units.
    fn offsets(&self) -> [i16; PLIES] {
        let unit = SCALE * UNIT as f32;
        std::array::from_fn(|empties| (self.offset.value[empties] * unit).round() as i16)
    }

    /// The network in integers, as the weights file holds it.
    fn rounded(&self) -> (Vec<Row>, Vec<Ply>) {
        let one = f32::from(ONE);
        let small = |value: f32| (value * one).round().clamp(-127.0, 127.0) as i8;
        let (rows, _) = self.rows.value.as_chunks::<CHANNELS>();
        let rows = rows.iter().map(|row| Row(row.map(small))).collect();
        let unit = SCALE * UNIT as f32;
        // A square of one is 2^12 in the engine.
        let out_unit = unit * (1 << (SHIFT - 12)) as f32;
        let plies = (0..PLIES)
            .map(|empties| {
                let at = |channel| empties * CHANNELS + channel;
                Ply {
                    bias: std::array::from_fn(|channel| {
                        (self.bias.value[at(channel)] * one).round() as i16
                    }),
                    out: std::array::from_fn(|channel| {
                        let out = self.out.value[at(channel)] * out_unit;
                        out.round().clamp(-16_000.0, 16_000.0) as i16
                    }),
                }
            })
            .collect();
        (rows, plies)
    }
}

fn shuffle(order: &mut [u32], seed: u64) {
    let mut dice = SplitMix::new(seed);
    for at in (1..order.len()).rev() {
        order.swap(at, dice.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_othello::ProbCut;
    use papan_othello::evaluation::STAGES;

    /// Positions of random games, worth as much as the mover has more moves than the other.
    fn examples() -> Vec<Example> {
        let mut dice = SplitMix::new(9);
        let mut examples = Vec::new();
        while examples.len() < 1500 {
            let mut board = Board::START;
            while !board.is_over() {
                let mut moves = board.moves();
                if moves.is_empty() {
                    board = board.passed();
                    continue;
                }
                let more = board.moves().len() as i32 - board.passed().moves().len() as i32;
                examples.push(Example {
                    board,
                    score: 3 * more as i8,
                });
                let square = moves.nth(dice.below(moves.len() as usize));
                board = board.play(square.expect("below the count")).expect("legal");
            }
        }
        examples
    }

    #[test]
    fn the_network_learns_and_is_the_same_on_any_number_of_threads() {
        let (_, count) = shared_weights();
        let blank = Evaluation::new(&vec![vec![0; count]; STAGES], ProbCut::default());
        let examples = examples();
        let fitted = |threads| {
            let mut fit = Fit::new(Settings {
                epochs: 4,
                batch: 300,
                rate: 1e-2,
                damping: 1e-2,
                seed: 3,
                threads,
            });
            let mut errors = Vec::new();
            fit.learn(&blank, &examples, |_, _, error| errors.push(error));
            (fit.rounded(), errors)
        };
        let (alone, errors) = fitted(1);
        let (together, _) = fitted(3);
        assert!(alone == together, "the same network, whoever computes it");
        assert!(errors[3] < 0.8 * errors[0], "{errors:?}");
    }

    #[test]
    fn integers_tell_what_the_fitted_numbers_tell() {
        let (_, count) = shared_weights();
        let blank = Evaluation::new(&vec![vec![0; count]; STAGES], ProbCut::default());
        let examples = examples();
        let mut fit = Fit::new(Settings {
            epochs: 2,
            batch: 300,
            rate: 1e-2,
            ..Settings::default()
        });
        fit.learn(&blank, &examples, |_, _, _| {});
        let (rows, plies) = fit.rounded();
        let rounded = blank.with_network(&rows, &plies).expect("it is sound");
        let rounded = rounded.with_offsets(fit.offsets());
        let off: f32 = examples
            .iter()
            .map(|example| (rounded.estimate(example.board) - fit.told(example.board)).abs())
            .sum();
        let mean = off / examples.len() as f32;
        assert!(mean < 0.1, "{mean} discs");
    }
}
