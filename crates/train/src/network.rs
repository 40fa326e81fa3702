//! Training of the neural network with Adam over shuffled mini-batches.
//!
//! The network learns the residuals of the pattern evaluation. Its first layer is a sum of feature
//! rows, one for each pattern configuration (as in an NNUE); the layers behind it exist once for
//! each number of empty squares. The learning rate follows a cosine schedule.
//!
//! Training is reproducible: games, settings and seed determine the network, whatever the number
//! of threads (`batch`).

mod adam;
mod batch;
mod quantization;

use self::adam::{AdamStep, Parameters};
use self::batch::{Buffers, CHUNK, Chunk, Gradient, Shard};
use crate::regression::Example;
use crate::thread_pool;
use papan_othello::eval::network::{
    CHANNEL_ONE, CHANNELS, HIDDEN_INPUTS, HIDDEN_UNITS, MAX_CORRECTION, MOBILITY_SHIFT, PLIES,
};
use papan_othello::eval::{EVAL_SCALE, PATTERNS, shared_weights, table_indices};
use papan_othello::{Board, Evaluation};
use papan_rules::SplitMix;
use rayon::ThreadPool;
use rayon::prelude::*;

/// Settings of the training.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSettings {
    /// Number of passes over all positions.
    pub epochs: usize,
    /// Positions per mini-batch.
    pub batch: usize,
    /// Initial learning rate; it decreases to 2 % of it.
    pub rate: f32,
    /// Adam's epsilon for the feature rows. Rows of rare configurations, whose gradients are
    /// smaller than this, change more slowly.
    pub damping: f32,
    /// Seed of the initial parameters and of the shuffling.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
}

impl Default for TrainingSettings {
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

/// Unit of scores during training, in discs.
const SCORE_SCALE: f32 = 10.0;

/// Largest absolute output in the engine, in units of [`SCORE_SCALE`].
const MAX_OUTPUT: f32 = MAX_CORRECTION as f32 / EVAL_SCALE as f32 / SCORE_SCALE;

/// Largest absolute weight of a feature row that can be quantized.
const MAX_ROW_WEIGHT: f32 = 127.0 / CHANNEL_ONE as f32;

/// Largest absolute value of all other parameters; output weights fit into 16 bits then.
const MAX_WEIGHT: f32 = 6.0;

/// Number of shards of the feature rows.
const SHARDS: usize = 32;

/// A position and its target.
#[derive(Clone, Copy)]
struct Sample {
    board: Board,
    /// Score minus pattern evaluation, in units of [`SCORE_SCALE`].
    residual: f32,
}

/// Half of the channels, each of which is multiplied by one of the other half.
const HALF: usize = CHANNELS / 2;

/// Hidden weights for one number of empty squares.
const WEIGHTS: usize = HIDDEN_INPUTS * HIDDEN_UNITS;

/// A network in training, in floating point.
pub struct NetworkTrainer {
    settings: TrainingSettings,
    shared: &'static [u32],
    rows: Parameters,
    channel_bias: Parameters,
    hidden_weights: Parameters,
    hidden_bias: Parameters,
    output_weights: Parameters,
    output_bias: Parameters,
    steps: usize,
}

/// The values of all layers for a position.
struct Activations {
    /// Channels before clipping.
    sums: [f32; CHANNELS],
    /// Channels clipped to 0..=1.
    clipped: [f32; CHANNELS],
    inputs: [f32; HIDDEN_INPUTS],
    /// Hidden units before clipping.
    units: [f32; HIDDEN_UNITS],
    output: f32,
}

impl NetworkTrainer {
    /// Creates a network with random parameters.
    pub fn new(settings: TrainingSettings) -> Self {
        let (shared, count) = (&shared_weights().index, shared_weights().count);
        let mut rng = SplitMix::new(settings.seed);
        let mut random = |count: usize, from: f32, to: f32| -> Vec<f32> {
            let mut one = || rng.below(1 << 24) as f32 / (1 << 24) as f32;
            (0..count).map(|_| from + (to - from) * one()).collect()
        };
        // Rows start at zero, so that unseen configurations contribute nothing. The random biases
        // break the symmetry between channels; all plies start alike.
        let spread = (3.0 / HIDDEN_INPUTS as f32).sqrt();
        let channel_bias = random(CHANNELS, 0.1, 0.5);
        let hidden_weights = random(WEIGHTS, -spread, spread);
        let hidden_bias = random(HIDDEN_UNITS, 0.0, 0.3);
        let output_weights = random(HIDDEN_UNITS, -0.3, 0.3);
        Self {
            settings,
            shared,
            rows: Parameters::new(vec![0.0; count * CHANNELS]),
            channel_bias: Parameters::new(channel_bias.repeat(PLIES)),
            hidden_weights: Parameters::new(hidden_weights.repeat(PLIES)),
            hidden_bias: Parameters::new(hidden_bias.repeat(PLIES)),
            output_weights: Parameters::new(output_weights.repeat(PLIES)),
            output_bias: Parameters::new(vec![0.0; PLIES]),
            steps: 0,
        }
    }

    /// Trains the network on the residuals of `linear`. After every epoch calls `on_epoch` with
    /// its number and the root mean square error in discs.
    pub fn train(
        &mut self,
        linear: &Evaluation,
        examples: &[Example],
        mut on_epoch: impl FnMut(&Self, usize, f64),
    ) {
        let pool = thread_pool(self.settings.threads);
        let sample = |example: &Example| Sample {
            board: example.board,
            residual: (f32::from(example.score) - linear.estimate(example.board)) / SCORE_SCALE,
        };
        let samples: Vec<Sample> = pool.install(|| examples.par_iter().map(sample).collect());
        let batch_size = self.settings.batch.min(samples.len()).max(1);
        let all_steps = self.settings.epochs * (samples.len() / batch_size);
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut buffers = Buffers::new(batch_size, self.rows.value.len());
        for epoch in 0..self.settings.epochs {
            shuffle(&mut order, self.settings.seed ^ (epoch as u64 + 1) << 32);
            let mut squared_error = 0.0;
            let mut count = 0;
            for batch in order.chunks_exact(batch_size) {
                squared_error += self.step(&pool, &samples, batch, all_steps, &mut buffers);
                count += batch.len();
            }
            let mean = squared_error / count.max(1) as f64;
            on_epoch(self, epoch, f64::from(SCORE_SCALE) * mean.sqrt());
        }
    }

    /// Computes the gradients of a mini-batch and updates all parameters. Returns the sum of
    /// squared errors.
    fn step(
        &mut self,
        pool: &ThreadPool,
        samples: &[Sample],
        batch: &[u32],
        all_steps: usize,
        buffers: &mut Buffers,
    ) -> f64 {
        let chunks: Vec<Chunk<'_>> = batch
            .chunks(CHUNK)
            .zip(&mut buffers.rows_read)
            .zip(buffers.channel_gradients.chunks_mut(CHUNK))
            .zip(&mut buffers.gradients)
            .map(
                |(((order, rows_read), channel_gradients), gradient)| Chunk {
                    order,
                    rows_read,
                    channel_gradients,
                    gradient,
                },
            )
            .collect();
        let trainer = &*self;
        pool.install(|| {
            chunks
                .into_par_iter()
                .for_each(|mut chunk| trainer.compute(samples, &mut chunk));
        });
        let mut sum = Gradient::zero();
        for gradient in &buffers.gradients[..batch.len().div_ceil(CHUNK)] {
            sum.add(gradient);
        }
        let progress = self.steps as f32 / all_steps.max(1) as f32;
        let cosine = 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
        let rate = self.settings.rate * (0.02 + 0.98 * cosine);
        self.update_rows(pool, rate, batch.len(), buffers);
        let step = AdamStep::new(self.steps, rate, 1e-3, MAX_WEIGHT);
        self.channel_bias.update(step, &sum.channel_bias);
        self.hidden_weights.update(step, &sum.hidden_weights);
        self.hidden_bias.update(step, &sum.hidden_bias);
        self.output_weights.update(step, &sum.output_weights);
        self.output_bias.update(step, &sum.output_bias);
        self.steps += 1;
        sum.squared_error
    }

    fn update_rows(&mut self, pool: &ThreadPool, rate: f32, batch: usize, buffers: &mut Buffers) {
        let step = AdamStep::new(self.steps, rate, self.settings.damping, MAX_ROW_WEIGHT);
        let size = (self.rows.value.len() / CHANNELS).div_ceil(SHARDS) * CHANNELS;
        let shards: Vec<Shard<'_>> = self
            .rows
            .value
            .chunks_mut(size)
            .zip(self.rows.mean.chunks_mut(size))
            .zip(self.rows.square.chunks_mut(size))
            .zip(buffers.row_gradients.chunks_mut(size))
            .enumerate()
            .map(|(at, (((value, mean), square), gradient))| Shard {
                first_row: at * size / CHANNELS,
                value,
                mean,
                square,
                gradient,
            })
            .collect();
        let (ranges, rows_read) = (&buffers.ranges, &buffers.rows_read);
        let channel_gradients = &buffers.channel_gradients[..batch];
        pool.install(|| {
            shards
                .into_par_iter()
                .for_each(|shard| shard.update(step, ranges, rows_read, channel_gradients));
        });
    }

    fn compute(&self, samples: &[Sample], chunk: &mut Chunk<'_>) {
        *chunk.gradient = Gradient::zero();
        for (at, &index) in chunk.order.iter().enumerate() {
            let sample = &samples[index as usize];
            let rows = table_indices(sample.board).map(|at| self.shared[at as usize]);
            for (pattern, &row) in rows.iter().enumerate() {
                chunk.rows_read[pattern][at] = row;
            }
            let activations = self.forward(sample.board, &rows);
            let output = activations.output;
            let error = output.clamp(-MAX_OUTPUT, MAX_OUTPUT) - sample.residual;
            chunk.gradient.squared_error += f64::from(error * error);
            let empties = sample.board.empties() as usize;
            // A clipped output that is still too small cannot be improved.
            let is_saturated = output.abs() > MAX_OUTPUT && error * output < 0.0;
            let output_gradient = if is_saturated { 0.0 } else { error };
            chunk.channel_gradients[at] =
                self.backward(&activations, empties, output_gradient, chunk.gradient);
        }
    }

    /// Forward pass.
    #[inline(always)]
    fn forward(&self, board: Board, rows: &[u32; PATTERNS]) -> Activations {
        let empties = board.empties() as usize;
        let sums = self.channel_sums(rows, empties * CHANNELS);
        let clipped = sums.map(|sum| sum.clamp(0.0, 1.0));
        let mut inputs = [0.0; HIDDEN_INPUTS];
        for channel in 0..CHANNELS {
            inputs[channel] = clipped[channel] * clipped[channel];
        }
        for channel in 0..HALF {
            inputs[CHANNELS + channel] = clipped[channel] * clipped[channel + HALF];
        }
        for (side, board) in [board, board.passed()].into_iter().enumerate() {
            let mobility = board.moves().len() as f32 / (1 << MOBILITY_SHIFT) as f32;
            inputs[CHANNELS + HALF + side] = mobility;
            inputs[CHANNELS + HALF + 2 + side] = mobility * mobility;
        }
        let mut units = [0.0; HIDDEN_UNITS];
        units.copy_from_slice(&self.hidden_bias.value[empties * HIDDEN_UNITS..][..HIDDEN_UNITS]);
        let weights = &self.hidden_weights.value[empties * WEIGHTS..][..WEIGHTS];
        for (input, weights) in inputs.iter().zip(weights.as_chunks::<HIDDEN_UNITS>().0) {
            for unit in 0..HIDDEN_UNITS {
                units[unit] += input * weights[unit];
            }
        }
        let output_weights = &self.output_weights.value[empties * HIDDEN_UNITS..][..HIDDEN_UNITS];
        let squares = units.map(|unit| unit.clamp(0.0, 1.0).powi(2));
        let weighted: f32 = squares.iter().zip(output_weights).map(|(a, b)| a * b).sum();
        Activations {
            sums,
            clipped,
            inputs,
            units,
            output: weighted + self.output_bias.value[empties],
        }
    }

    /// Backward pass. Adds to the gradient of all parameters except the rows and returns the
    /// gradient with respect to the channels.
    #[inline(always)]
    fn backward(
        &self,
        activations: &Activations,
        empties: usize,
        output_gradient: f32,
        gradient: &mut Gradient,
    ) -> [f32; CHANNELS] {
        gradient.output_bias[empties] += output_gradient;
        let output_weights = &self.output_weights.value[empties * HIDDEN_UNITS..][..HIDDEN_UNITS];
        let hidden_bias = &mut gradient.hidden_bias[empties * HIDDEN_UNITS..][..HIDDEN_UNITS];
        let mut unit_gradients = [0.0; HIDDEN_UNITS];
        for unit in 0..HIDDEN_UNITS {
            let clipped = activations.units[unit].clamp(0.0, 1.0);
            gradient.output_weights[empties * HIDDEN_UNITS + unit] +=
                output_gradient * clipped * clipped;
            if is_unclipped(activations.units[unit]) {
                unit_gradients[unit] = 2.0 * output_gradient * output_weights[unit] * clipped;
            }
            hidden_bias[unit] += unit_gradients[unit];
        }
        let weights = &self.hidden_weights.value[empties * WEIGHTS..][..WEIGHTS];
        let weight_gradients = &mut gradient.hidden_weights[empties * WEIGHTS..][..WEIGHTS];
        let mut input_gradients = [0.0; HIDDEN_INPUTS];
        let rows = (weights.as_chunks::<HIDDEN_UNITS>().0.iter())
            .zip(weight_gradients.as_chunks_mut::<HIDDEN_UNITS>().0);
        for ((input, (weights, weight_gradients)), input_gradient) in activations
            .inputs
            .iter()
            .zip(rows)
            .zip(&mut input_gradients)
        {
            for unit in 0..HIDDEN_UNITS {
                weight_gradients[unit] += input * unit_gradients[unit];
            }
            // Four partial sums: a single one would be a chain of dependent additions.
            let mut sums = [0.0; 4];
            for unit in 0..HIDDEN_UNITS {
                sums[unit % 4] += weights[unit] * unit_gradients[unit];
            }
            *input_gradient = sums.iter().sum();
        }
        let mut channel_gradients = [0.0; CHANNELS];
        for channel in 0..CHANNELS {
            let other = (channel + HALF) % CHANNELS;
            let product_gradient = input_gradients[CHANNELS + channel % HALF];
            let channel_gradient = 2.0 * activations.clipped[channel] * input_gradients[channel]
                + activations.clipped[other] * product_gradient;
            if is_unclipped(activations.sums[channel]) {
                channel_gradients[channel] = channel_gradient;
            }
            gradient.channel_bias[empties * CHANNELS + channel] += channel_gradients[channel];
        }
        channel_gradients
    }

    #[inline(always)]
    fn channel_sums(&self, rows: &[u32; PATTERNS], bias_at: usize) -> [f32; CHANNELS] {
        let mut sums: [f32; CHANNELS] =
            std::array::from_fn(|channel| self.channel_bias.value[bias_at + channel]);
        for &row in rows {
            let row = &self.rows.value[row as usize * CHANNELS..][..CHANNELS];
            for channel in 0..CHANNELS {
                sums[channel] += row[channel];
            }
        }
        sums
    }

    /// Returns the correction that the network adds to the pattern evaluation, in discs.
    pub fn correction(&self, board: Board) -> f32 {
        let rows = table_indices(board).map(|at| self.shared[at as usize]);
        let output = self.forward(board, &rows).output;
        SCORE_SCALE * output.clamp(-MAX_OUTPUT, MAX_OUTPUT)
    }
}

/// Returns whether a value is inside the clipping range, where the gradient is not zero.
#[inline(always)]
fn is_unclipped(value: f32) -> bool {
    value > 0.0 && value < 1.0
}

/// Fisher-Yates shuffle.
fn shuffle(order: &mut [u32], seed: u64) {
    let mut rng = SplitMix::new(seed);
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_othello::ProbCutModel;
    use papan_othello::eval::STAGES;

    /// Positions of random games, scored by the difference in mobility.
    fn examples() -> Vec<Example> {
        let mut rng = SplitMix::new(9);
        let mut examples = Vec::new();
        while examples.len() < 1500 {
            let mut board = Board::START;
            while !board.is_over() {
                let mut moves = board.moves();
                if moves.is_empty() {
                    board = board.passed();
                    continue;
                }
                let mobility = board.moves().len() as i32 - board.passed().moves().len() as i32;
                examples.push(Example {
                    board,
                    score: 3 * mobility as i8,
                });
                let square = moves.nth(rng.below(moves.len() as usize));
                board = board.play(square.expect("below the count")).expect("legal");
            }
        }
        examples
    }

    #[test]
    fn training_reduces_the_error_and_does_not_depend_on_the_number_of_threads() {
        let count = shared_weights().count;
        let zero = Evaluation::new(&vec![vec![0; count]; STAGES], ProbCutModel::default());
        let examples = examples();
        let train = |threads| {
            let mut trainer = NetworkTrainer::new(TrainingSettings {
                epochs: 4,
                batch: 300,
                rate: 1e-2,
                damping: 1e-2,
                seed: 3,
                threads,
            });
            let mut errors = Vec::new();
            trainer.train(&zero, &examples, |_, _, error| errors.push(error));
            (trainer.quantize(), errors)
        };
        let (one_thread, errors) = train(1);
        let (three_threads, _) = train(3);
        assert!(one_thread == three_threads);
        assert!(errors[3] < 0.8 * errors[0], "{errors:?}");
    }

    #[test]
    fn the_quantized_network_agrees_with_the_trained_one() {
        let count = shared_weights().count;
        let zero = Evaluation::new(&vec![vec![0; count]; STAGES], ProbCutModel::default());
        let examples = examples();
        let mut trainer = NetworkTrainer::new(TrainingSettings {
            epochs: 2,
            batch: 300,
            rate: 1e-2,
            ..TrainingSettings::default()
        });
        trainer.train(&zero, &examples, |_, _, _| {});
        let network = trainer.quantize();
        let resumed = NetworkTrainer::resume(TrainingSettings::default(), &network);
        assert!(resumed.quantize() == network);
        let quantized = zero
            .with_network(&network)
            .expect("the network is valid")
            .with_offsets(trainer.offsets());
        let difference: f32 = examples
            .iter()
            .map(|example| {
                (quantized.estimate(example.board) - trainer.correction(example.board)).abs()
            })
            .sum();
        let mean = difference / examples.len() as f32;
        assert!(mean < 0.1, "{mean} discs");
    }
}
