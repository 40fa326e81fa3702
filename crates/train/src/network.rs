//! Fitting the network: Adam over shuffled mini-batches, on what the sum of patterns leaves over.
//!
//! The same games, settings and seed give the same network, whatever the number of threads:
//! every position is computed by itself, and every row of the network belongs to one job, which
//! goes through the batch in order.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

mod adam;
mod batch;
mod integers;

use self::adam::{Fitted, Step};
use self::batch::{Buffers, CHUNK, Chunk, Gradient, Shard};
use crate::fit::Example;
use crate::parallel::for_each;
use papan_othello::eval::network::{
    CHANNEL_ONE, CHANNELS, HIDDEN_INPUTS, HIDDEN_UNITS, MAX_CORRECTION, MOBILITY_SHIFT, PLIES,
};
use papan_othello::eval::{EVAL_SCALE, PATTERNS, shared_weights, table_indices};
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
            batch: 65_536,
            rate: 3e-3,
            damping: 0.5,
            seed: 1,
            threads: 1,
        }
    }
}

/// Scores are counted in this many discs while fitting.
const SCALE: f32 = 10.0;

/// What the network is held to in the engine, in the same unit.
const HELD: f32 = MAX_CORRECTION as f32 / EVAL_SCALE as f32 / SCALE;

/// What fits into a row's numbers.
const MAX_ROW_WEIGHT: f32 = 127.0 / CHANNEL_ONE as f32;

/// What the other numbers are held below: a weight of the output fits into 16 bits then.
const MAX_OTHER_WEIGHT: f32 = 6.0;

/// The jobs that the rows are shared among.
const SHARDS: usize = 32;

/// What a network learns from one position.
#[derive(Clone, Copy)]
struct Lesson {
    board: Board,
    /// The score without what the sum of patterns says of it, in units of [`SCALE`].
    left_over: f32,
}

/// The channels of one half are multiplied with those of the other.
const HALF: usize = CHANNELS / 2;

/// The weights of the units for one number of empty squares.
const WEIGHTS: usize = HIDDEN_INPUTS * HIDDEN_UNITS;

/// A network while it is fitted, in floating point.
pub struct Fit {
    settings: Settings,
    shared: &'static [u32],
    rows: Fitted,
    bias: Fitted,
    weights: Fitted,
    begin: Fitted,
    out: Fitted,
    offset: Fitted,
    steps: usize,
}

/// A position on its way through the network.
struct Passage {
    sums: [f32; CHANNELS],
    held: [f32; CHANNELS],
    inputs: [f32; HIDDEN_INPUTS],
    units: [f32; HIDDEN_UNITS],
    told: f32,
}

impl Fit {
    /// A network that knows nothing yet.
    pub fn new(settings: Settings) -> Self {
        let (shared, count) = (&shared_weights().index, shared_weights().count);
        let mut dice = SplitMix::new(settings.seed);
        let mut random = |count: usize, from: f32, to: f32| -> Vec<f32> {
            let mut one = || dice.below(1 << 24) as f32 / (1 << 24) as f32;
            (0..count).map(|_| from + (to - from) * one()).collect()
        };
        // Rows begin with nothing, so that configurations never seen say nothing; what the
        // channels learn differs by what they begin with, and every ply begins alike.
        let spread = (3.0 / HIDDEN_INPUTS as f32).sqrt();
        let bias = random(CHANNELS, 0.1, 0.5);
        let weights = random(WEIGHTS, -spread, spread);
        let begin = random(HIDDEN_UNITS, 0.0, 0.3);
        let out = random(HIDDEN_UNITS, -0.3, 0.3);
        Self {
            settings,
            shared,
            rows: Fitted::new(vec![0.0; count * CHANNELS]),
            bias: Fitted::new(bias.repeat(PLIES)),
            weights: Fitted::new(weights.repeat(PLIES)),
            begin: Fitted::new(begin.repeat(PLIES)),
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
        let step = Step::new(self.steps, rate, self.settings.damping, MAX_ROW_WEIGHT);
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
        let free = Step::new(self.steps, rate, 1e-3, MAX_OTHER_WEIGHT);
        self.bias.step(free, &sum.bias);
        self.weights.step(free, &sum.weights);
        self.begin.step(free, &sum.begin);
        self.out.step(free, &sum.out);
        self.offset.step(free, &sum.offset);
        self.steps += 1;
        sum.error
    }

    fn compute(&self, lessons: &[Lesson], chunk: &mut Chunk<'_>) {
        *chunk.gradient = Gradient::zero();
        for (at, &lesson) in chunk.order.iter().enumerate() {
            let lesson = &lessons[lesson as usize];
            let read = table_indices(lesson.board).map(|at| self.shared[at as usize]);
            for (slot, &row) in read.iter().enumerate() {
                chunk.read[slot][at] = row;
            }
            let passage = self.pass(lesson.board, &read);
            let error = passage.told.clamp(-HELD, HELD) - lesson.left_over;
            chunk.gradient.error += f64::from(error * error);
            let empties = lesson.board.empties() as usize;
            // Where it is held already, to say more still would change nothing.
            let beyond = passage.told.abs() > HELD && error * passage.told < 0.0;
            let wanted = if beyond { 0.0 } else { error };
            chunk.back[at] = self.back(&passage, empties, wanted, chunk.gradient);
        }
    }

    /// A position through the network.
    #[inline(always)]
    fn pass(&self, board: Board, read: &[u32; PATTERNS]) -> Passage {
        let empties = board.empties() as usize;
        let sums = self.sums(read, empties * CHANNELS);
        let held = sums.map(|sum| sum.clamp(0.0, 1.0));
        let mut inputs = [0.0; HIDDEN_INPUTS];
        for channel in 0..CHANNELS {
            inputs[channel] = held[channel] * held[channel];
        }
        for channel in 0..HALF {
            inputs[CHANNELS + channel] = held[channel] * held[channel + HALF];
        }
        for (at, side) in [board, board.passed()].into_iter().enumerate() {
            let moves = side.moves().len() as f32 / (1 << MOBILITY_SHIFT) as f32;
            inputs[CHANNELS + HALF + at] = moves;
            inputs[CHANNELS + HALF + 2 + at] = moves * moves;
        }
        let mut units = [0.0; HIDDEN_UNITS];
        units.copy_from_slice(&self.begin.value[empties * HIDDEN_UNITS..][..HIDDEN_UNITS]);
        let weights = &self.weights.value[empties * WEIGHTS..][..WEIGHTS];
        for (input, weights) in inputs.iter().zip(weights.as_chunks::<HIDDEN_UNITS>().0) {
            for unit in 0..HIDDEN_UNITS {
                units[unit] += input * weights[unit];
            }
        }
        let out = &self.out.value[empties * HIDDEN_UNITS..][..HIDDEN_UNITS];
        let squares = units.map(|unit| unit.clamp(0.0, 1.0).powi(2));
        let weighted: f32 = squares.iter().zip(out).map(|(a, b)| a * b).sum();
        Passage {
            sums,
            held,
            inputs,
            units,
            told: weighted + self.offset.value[empties],
        }
    }

    /// An error back through the network, as far as the channels.
    #[inline(always)]
    fn back(
        &self,
        passage: &Passage,
        empties: usize,
        error: f32,
        gradient: &mut Gradient,
    ) -> [f32; CHANNELS] {
        gradient.offset[empties] += error;
        let out = &self.out.value[empties * HIDDEN_UNITS..][..HIDDEN_UNITS];
        let begin = &mut gradient.begin[empties * HIDDEN_UNITS..][..HIDDEN_UNITS];
        let mut of_units = [0.0; HIDDEN_UNITS];
        for unit in 0..HIDDEN_UNITS {
            let held = passage.units[unit].clamp(0.0, 1.0);
            gradient.out[empties * HIDDEN_UNITS + unit] += error * held * held;
            if inside(passage.units[unit]) {
                of_units[unit] = 2.0 * error * out[unit] * held;
            }
            begin[unit] += of_units[unit];
        }
        let weights = &self.weights.value[empties * WEIGHTS..][..WEIGHTS];
        let to = &mut gradient.weights[empties * WEIGHTS..][..WEIGHTS];
        let mut of_inputs = [0.0; HIDDEN_INPUTS];
        let rows = weights.as_chunks::<HIDDEN_UNITS>().0.iter();
        let rows = rows.zip(to.as_chunks_mut::<HIDDEN_UNITS>().0);
        for ((input, (weights, to)), of_input) in
            passage.inputs.iter().zip(rows).zip(&mut of_inputs)
        {
            for unit in 0..HIDDEN_UNITS {
                to[unit] += input * of_units[unit];
            }
            // Four sums side by side: one would be a chain of sixteen additions.
            let mut sums = [0.0; 4];
            for unit in 0..HIDDEN_UNITS {
                sums[unit % 4] += weights[unit] * of_units[unit];
            }
            *of_input = sums.iter().sum();
        }
        let mut back = [0.0; CHANNELS];
        for channel in 0..CHANNELS {
            let other = (channel + HALF) % CHANNELS;
            let of_product = of_inputs[CHANNELS + channel % HALF];
            let of_channel =
                2.0 * passage.held[channel] * of_inputs[channel] + passage.held[other] * of_product;
            if inside(passage.sums[channel]) {
                back[channel] = of_channel;
            }
            gradient.bias[empties * CHANNELS + channel] += back[channel];
        }
        back
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
        let read = table_indices(board).map(|at| self.shared[at as usize]);
        SCALE * self.pass(board, &read).told.clamp(-HELD, HELD)
    }
}

/// Whether a sum is neither held at nothing nor at one, so that it moves when what it is made of
/// does.
#[inline(always)]
fn inside(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
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
    use papan_othello::ProbCutModel;
    use papan_othello::eval::STAGES;

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
        let count = shared_weights().count;
        let blank = Evaluation::new(&vec![vec![0; count]; STAGES], ProbCutModel::default());
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
        let count = shared_weights().count;
        let blank = Evaluation::new(&vec![vec![0; count]; STAGES], ProbCutModel::default());
        let examples = examples();
        let mut fit = Fit::new(Settings {
            epochs: 2,
            batch: 300,
            rate: 1e-2,
            ..Settings::default()
        });
        fit.learn(&blank, &examples, |_, _, _| {});
        let network = fit.rounded();
        let again = Fit::after(Settings::default(), &network);
        assert!(again.rounded() == network, "it goes on from there");
        let rounded = blank.with_network(&network).expect("it is sound");
        let rounded = rounded.with_offsets(fit.offsets());
        let off: f32 = examples
            .iter()
            .map(|example| (rounded.estimate(example.board) - fit.told(example.board)).abs())
            .sum();
        let mean = off / examples.len() as f32;
        assert!(mean < 0.1, "{mean} discs");
    }
}
