//! Fitting the weights: ridge regression, one stage of the game at a time.
//!
//! The sum of squares is minimised by conjugate gradients. Each stage learns from its own
//! positions and, at less weight, from those of the neighbouring stages; what it learns is the
//! difference to a common table of the surrounding ten plies, so that a configuration which is
//! rare at one stage borrows from the others.
// Slots and weights of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::parallel::in_parallel;
use papan_othello::eval::weights::WEIGHT_STEP;
use papan_othello::eval::{EVAL_SCALE, PATTERNS, STAGES, shared_weights, stage, table_indices};
use papan_othello::{Board, Evaluation};

/// One position as the fitting sees it.
#[derive(Clone, Copy)]
pub struct Example {
    /// The position.
    pub board: Board,
    /// Its score, from the mover's side.
    pub score: i8,
}

/// Settings of the fitting.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How strongly weights are drawn to the common table.
    pub ridge: f32,
    /// Steps of conjugate gradients per stage.
    pub steps: usize,
    /// How many stages are fitted at a time.
    pub threads: usize,
}

/// Fits all stages: one value per shared weight, in units of a 128th of a disc.
pub fn fit(examples: &[Vec<Example>], settings: Settings) -> Vec<Vec<i16>> {
    let (shared, count) = (&shared_weights().index, shared_weights().count);
    // Step 1. Common tables over blocks of five stages.
    const BLOCK: usize = 5;
    let blocks = in_parallel(STAGES / BLOCK, settings.threads, |block| {
        let stages: Vec<_> = (BLOCK * block..BLOCK * (block + 1))
            .map(|s| (s, 1.0))
            .collect();
        let rows = Rows::new(examples, &stages, shared);
        rows.solve(&vec![0.0; count], settings.ridge, settings.steps)
    });
    // Step 2. Each stage as a difference to the common table, the two nearest blocks mixed.
    let fitted = in_parallel(STAGES, settings.threads, |at| {
        let centre = (at as f32 - (BLOCK as f32 - 1.0) / 2.0) / BLOCK as f32;
        let low = (centre.floor().max(0.0) as usize).min(blocks.len() - 1);
        let high = (low + 1).min(blocks.len() - 1);
        let part = (centre - low as f32).clamp(0.0, 1.0);
        let prior: Vec<f32> = blocks[low]
            .iter()
            .zip(&blocks[high])
            .map(|(a, b)| a + part * (b - a))
            .collect();
        let mut stages = vec![(at, 1.0)];
        for near in [at.wrapping_sub(1), at + 1] {
            if near < STAGES {
                stages.push((near, 0.4));
            }
        }
        Rows::new(examples, &stages, shared).solve(&prior, settings.ridge, settings.steps)
    });
    let unit = EVAL_SCALE as f32 / f32::from(WEIGHT_STEP);
    let round = |w: &f32| (w * unit).round().clamp(-8000.0, 8000.0) as i16 * WEIGHT_STEP;
    fitted
        .iter()
        .map(|weights| weights.iter().map(round).collect())
        .collect()
}

/// The examples of some stages as a sparse matrix: each row names `PATTERNS` weights.
struct Rows {
    entries: Vec<u32>,
    scores: Vec<f32>,
    importance: Vec<f32>,
}

impl Rows {
    fn new(examples: &[Vec<Example>], stages: &[(usize, f32)], shared: &[u32]) -> Self {
        let mut rows = Self {
            entries: Vec::new(),
            scores: Vec::new(),
            importance: Vec::new(),
        };
        for &(stage, importance) in stages {
            for example in &examples[stage] {
                let read = table_indices(example.board);
                rows.entries.extend(read.map(|at| shared[at as usize]));
                rows.scores.push(f32::from(example.score));
                rows.importance.push(importance);
            }
        }
        rows
    }

    /// Predictions for all rows.
    fn apply(&self, weights: &[f32]) -> Vec<f32> {
        let sum = |row: &[u32]| row.iter().map(|&at| weights[at as usize]).sum();
        self.entries.chunks_exact(PATTERNS).map(sum).collect()
    }

    /// The gradient: each row's value spread over its weights.
    fn spread(&self, values: &[f32], count: usize) -> Vec<f32> {
        let mut sums = vec![0.0; count];
        for (row, value) in self.entries.chunks_exact(PATTERNS).zip(values) {
            for &at in row {
                sums[at as usize] += value;
            }
        }
        sums
    }

    /// Conjugate gradients from `prior`, to which the ridge draws the weights.
    fn solve(&self, prior: &[f32], ridge: f32, steps: usize) -> Vec<f32> {
        let count = prior.len();
        let seen = self.spread(&self.importance, count);
        let predicted = self.apply(prior);
        let error: Vec<f32> = (0..self.scores.len())
            .map(|i| (self.scores[i] - predicted[i]) * self.importance[i])
            .collect();
        let mut residual = self.spread(&error, count);
        let mut delta = vec![0.0; count];
        // Dividing by how often a weight is seen makes common and rare ones converge alike.
        let scale: Vec<f32> = seen
            .iter()
            .map(|n| 1.0 / (n * PATTERNS as f32 / 8.0 + ridge))
            .collect();
        let mut scaled: Vec<f32> = residual.iter().zip(&scale).map(|(r, s)| r * s).collect();
        let mut direction = scaled.clone();
        let mut power = dot(&residual, &scaled);
        for _ in 0..steps {
            if power <= 1e-6 {
                break;
            }
            let mut along = self.apply(&direction);
            for (value, importance) in along.iter_mut().zip(&self.importance) {
                *value *= importance;
            }
            let mut image = self.spread(&along, count);
            for (value, d) in image.iter_mut().zip(&direction) {
                *value += ridge * d;
            }
            let step = (power / dot(&direction, &image)) as f32;
            for at in 0..count {
                delta[at] += step * direction[at];
                residual[at] -= step * image[at];
                scaled[at] = residual[at] * scale[at];
            }
            let next = dot(&residual, &scaled);
            let keep = (next / power) as f32;
            power = next;
            for at in 0..count {
                direction[at] = scaled[at] + keep * direction[at];
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

/// The mean absolute and the root of the mean squared error per stage, in discs.
pub fn errors(evaluation: &Evaluation, examples: &[Vec<Example>]) -> Vec<(f32, f32)> {
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
            (absolute / n, (squared / n).sqrt())
        })
        .collect()
}

/// Sorts positions into the stages that they belong to.
pub fn by_stage(positions: impl IntoIterator<Item = (Board, i8)>) -> Vec<Vec<Example>> {
    let mut stages = vec![Vec::new(); STAGES];
    for (board, score) in positions {
        stages[stage(board.empties())].push(Example { board, score });
    }
    stages
}
