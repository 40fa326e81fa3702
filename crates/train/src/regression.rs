//! Ridge regression of the pattern weights, by the preconditioned conjugate gradient method.
//!
//! Every stage of the game has its own weights. They are fitted to the positions of the stage
//! and, with a lower weight, of its neighbours. The regularisation term pulls them towards weights
//! that are common to ten plies, so that a configuration that is rare at one stage takes its value
//! from the others.
//!
//! References: Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function
//! for Othello" (1997) for the model; Hestenes and Stiefel (1952) for the method.

use crate::parallel_map;
use papan_othello::eval::weights::WEIGHT_STEP;
use papan_othello::eval::{EVAL_SCALE, PATTERNS, STAGES, shared_weights, stage, table_indices};
use papan_othello::{Board, Evaluation};

/// A training example.
#[derive(Clone, Copy)]
pub struct Example {
    /// The position.
    pub board: Board,
    /// Its score for the side to move.
    pub score: i8,
}

/// Settings of the regression.
#[derive(Clone, Copy, Debug)]
pub struct RegressionSettings {
    /// Regularisation parameter: how strongly weights are pulled to the common ones.
    pub ridge: f32,
    /// Conjugate gradient iterations per stage.
    pub steps: usize,
    /// Number of threads; each fits one stage.
    pub threads: usize,
}

/// Fits all stages. Returns one value per shared weight, in units of 1/128 disc.
pub fn fit(examples: &[Vec<Example>], settings: RegressionSettings) -> Vec<Vec<i16>> {
    let (shared, count) = (&shared_weights().index, shared_weights().count);
    // Step 1. Common weights of blocks of five stages.
    const BLOCK: usize = 5;
    let blocks = parallel_map(STAGES / BLOCK, settings.threads, |block| {
        let stages: Vec<_> = (BLOCK * block..BLOCK * (block + 1))
            .map(|s| (s, 1.0))
            .collect();
        let problem = LeastSquares::new(examples, &stages, shared);
        problem.solve(&vec![0.0; count], settings.ridge, settings.steps)
    });
    // Step 2. Each stage, starting from the interpolated weights of the two nearest blocks.
    let fitted = parallel_map(STAGES, settings.threads, |stage| {
        let centre = (stage as f32 - (BLOCK as f32 - 1.0) / 2.0) / BLOCK as f32;
        let low = (centre.floor().max(0.0) as usize).min(blocks.len() - 1);
        let high = (low + 1).min(blocks.len() - 1);
        let part = (centre - low as f32).clamp(0.0, 1.0);
        let prior: Vec<f32> = blocks[low]
            .iter()
            .zip(&blocks[high])
            .map(|(a, b)| a + part * (b - a))
            .collect();
        let mut stages = vec![(stage, 1.0)];
        for neighbour in [stage.wrapping_sub(1), stage + 1] {
            if neighbour < STAGES {
                stages.push((neighbour, 0.4));
            }
        }
        let problem = LeastSquares::new(examples, &stages, shared);
        problem.solve(&prior, settings.ridge, settings.steps)
    });
    let unit = EVAL_SCALE as f32 / f32::from(WEIGHT_STEP);
    let round = |w: &f32| (w * unit).round().clamp(-8000.0, 8000.0) as i16 * WEIGHT_STEP;
    fitted
        .iter()
        .map(|weights| weights.iter().map(round).collect())
        .collect()
}

/// A weighted least-squares problem with a sparse matrix.
struct LeastSquares {
    /// Column indices of the ones in each row, `PATTERNS` per row.
    columns: Vec<u32>,
    scores: Vec<f32>,
    importance: Vec<f32>,
}

impl LeastSquares {
    fn new(examples: &[Vec<Example>], stages: &[(usize, f32)], shared: &[u32]) -> Self {
        let mut problem = Self {
            columns: Vec::new(),
            scores: Vec::new(),
            importance: Vec::new(),
        };
        for &(stage, importance) in stages {
            for example in &examples[stage] {
                let indices = table_indices(example.board);
                problem
                    .columns
                    .extend(indices.map(|at| shared[at as usize]));
                problem.scores.push(f32::from(example.score));
                problem.importance.push(importance);
            }
        }
        problem
    }

    /// Multiplies the matrix by a vector of weights: the predictions.
    fn multiply(&self, weights: &[f32]) -> Vec<f32> {
        let sum = |row: &[u32]| row.iter().map(|&at| weights[at as usize]).sum();
        self.columns.chunks_exact(PATTERNS).map(sum).collect()
    }

    /// Multiplies the transposed matrix by a vector of rows.
    fn multiply_transposed(&self, values: &[f32], count: usize) -> Vec<f32> {
        let mut sums = vec![0.0; count];
        for (row, value) in self.columns.chunks_exact(PATTERNS).zip(values) {
            for &at in row {
                sums[at as usize] += value;
            }
        }
        sums
    }

    /// Solves the problem by conjugate gradients, starting from `prior`, to which the
    /// regularisation term pulls the weights.
    fn solve(&self, prior: &[f32], ridge: f32, steps: usize) -> Vec<f32> {
        let count = prior.len();
        let frequency = self.multiply_transposed(&self.importance, count);
        let predicted = self.multiply(prior);
        let error: Vec<f32> = (0..self.scores.len())
            .map(|i| (self.scores[i] - predicted[i]) * self.importance[i])
            .collect();
        let mut residual = self.multiply_transposed(&error, count);
        let mut delta = vec![0.0; count];
        // The preconditioner is diagonal, so that frequent and rare weights converge alike.
        let scale: Vec<f32> = frequency
            .iter()
            .map(|n| 1.0 / (n * PATTERNS as f32 / 8.0 + ridge))
            .collect();
        let mut scaled: Vec<f32> = residual.iter().zip(&scale).map(|(r, s)| r * s).collect();
        let mut direction = scaled.clone();
        let mut norm = dot(&residual, &scaled);
        for _ in 0..steps {
            if norm <= 1e-6 {
                break;
            }
            let mut along = self.multiply(&direction);
            for (value, importance) in along.iter_mut().zip(&self.importance) {
                *value *= importance;
            }
            let mut image = self.multiply_transposed(&along, count);
            for (value, d) in image.iter_mut().zip(&direction) {
                *value += ridge * d;
            }
            let step = (norm / dot(&direction, &image)) as f32;
            for at in 0..count {
                delta[at] += step * direction[at];
                residual[at] -= step * image[at];
                scaled[at] = residual[at] * scale[at];
            }
            let next_norm = dot(&residual, &scaled);
            let beta = (next_norm / norm) as f32;
            norm = next_norm;
            for at in 0..count {
                direction[at] = scaled[at] + beta * direction[at];
            }
        }
        prior.iter().zip(&delta).map(|(p, d)| p + d).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}

/// The error of an evaluation, in discs.
#[derive(Clone, Copy, Debug)]
pub struct StageError {
    /// Mean absolute error.
    pub mean_absolute: f32,
    /// Root mean square error.
    pub root_mean_square: f32,
}

/// Returns the error for each stage.
pub fn errors(evaluation: &Evaluation, examples: &[Vec<Example>]) -> Vec<StageError> {
    examples
        .iter()
        .map(|examples| {
            let (mut absolute, mut squared) = (0.0, 0.0);
            for example in examples {
                let error = evaluation.estimate(example.board) - f32::from(example.score);
                absolute += error.abs();
                squared += error * error;
            }
            let n = examples.len().max(1) as f32;
            StageError {
                mean_absolute: absolute / n,
                root_mean_square: (squared / n).sqrt(),
            }
        })
        .collect()
}

/// Groups positions by stage.
pub fn by_stage(positions: impl IntoIterator<Item = (Board, i8)>) -> Vec<Vec<Example>> {
    let mut stages = vec![Vec::new(); STAGES];
    for (board, score) in positions {
        stages[stage(board.empties())].push(Example { board, score });
    }
    stages
}
