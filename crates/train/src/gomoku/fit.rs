//! The fit: logistic regression of results on the sets of line classes, and softmax regression of
//! the moves that the search chose.
//!
//! Both are trained together by Adam over shuffled mini-batches. A batch is cut into chunks whose
//! gradients are added in order, so that the weights do not depend on the number of threads.

use papan_mnk::{GomokuTable, GomokuWeights, GridEngine, TrainingBoard};
use papan_rules::{Gomoku, SplitMix};
use rayon::prelude::*;

use super::games::GomokuGame;

/// Settings of the fit.
#[derive(Clone, Copy, Debug)]
pub struct GomokuFit {
    /// Passes over all games.
    pub epochs: usize,
    /// Games per mini-batch.
    pub batch: usize,
    /// Initial learning rate; it decreases to a twentieth.
    pub rate: f32,
    /// Share of the result in the target; the rest is the score of the search.
    pub result: f32,
    /// Seed of the order of games.
    pub seed: u64,
}

impl Default for GomokuFit {
    fn default() -> Self {
        Self {
            epochs: 6,
            batch: 512,
            rate: 0.02,
            result: 0.7,
            seed: 1,
        }
    }
}

/// Weights of a list: two for each set and table.
const LIST: usize = GomokuWeights::TABLES * GomokuWeights::SETS * 2;
/// Weights of combinations of threats.
const THREATS: usize = GomokuWeights::TABLES * GomokuWeights::THREATS;
/// A score of this much is a logit of 1.
const SCALE: f32 = 150.0;
/// Units of an ordering score in a logit of 1.
const ORDER_SCALE: f32 = 40.0;
/// Games per chunk of a batch.
const CHUNK: usize = 32;
/// Every so many games one is held out.
const HELD_OUT: usize = 20;
/// Adam's epsilon: weights of rare sets, whose gradients are smaller, change more slowly.
const DAMPING: f32 = 1e-4;
/// Pull of a weight to zero.
const DECAY: f32 = 1e-6;

/// Mean losses of a pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Cross entropy of the results.
    pub value: f64,
    /// Cross entropy of the moves.
    pub order: f64,
    /// Share of positions whose move has the best order.
    pub hits: f64,
    /// Positions with a value, and with a move.
    pub counts: [usize; 2],
}

/// Gradients of all weights and sums of losses.
struct Gradient {
    values: Vec<f32>,
    orders: Vec<f32>,
    threats: Vec<f32>,
    losses: Losses,
}

/// Weights in training.
pub struct Fitter {
    values: Vec<f32>,
    orders: Vec<f32>,
    threats: Vec<f32>,
    moments: Vec<[f32; 2]>,
    steps: i32,
}

/// Returns the place of a weight.
fn place(table: usize, set: u16, role: usize) -> usize {
    (table * GomokuWeights::SETS + usize::from(set)) * 2 + role
}

impl Fitter {
    /// Starts from existing weights.
    #[must_use]
    pub fn new(weights: &GomokuWeights) -> Self {
        let flat = |list: fn(&GomokuTable) -> &Vec<[i16; 2]>, scale: f32| -> Vec<f32> {
            let numbers = weights
                .tables
                .iter()
                .flat_map(|table| list(table).as_flattened());
            numbers.map(|&number| f32::from(number) / scale).collect()
        };
        Self {
            values: flat(|table| &table.values, SCALE),
            orders: flat(|table| &table.orders, ORDER_SCALE),
            threats: weights
                .tables
                .iter()
                .flat_map(|table| &table.threats)
                .map(|&number| f32::from(number) / SCALE)
                .collect(),
            moments: vec![[0.0; 2]; 2 * LIST + THREATS],
            steps: 0,
        }
    }

    /// Returns the weights in the engine's integers.
    #[must_use]
    pub fn weights(&self) -> GomokuWeights {
        let list = |numbers: &[f32], table: usize, scale: f32| {
            let first = table * GomokuWeights::SETS * 2;
            let numbers = &numbers[first..][..GomokuWeights::SETS * 2];
            let round = |number: f32| (number * scale).round().clamp(-8000.0, 8000.0) as i16;
            let pairs = numbers.chunks_exact(2);
            pairs.map(|pair| [round(pair[0]), round(pair[1])]).collect()
        };
        let table = |table| GomokuTable {
            values: list(&self.values, table, SCALE),
            orders: list(&self.orders, table, ORDER_SCALE),
            threats: self.threats[table * GomokuWeights::THREATS..][..GomokuWeights::THREATS]
                .iter()
                .map(|&number| (number * SCALE).round() as i16)
                .collect(),
        };
        GomokuWeights {
            tables: (0..GomokuWeights::TABLES).map(table).collect(),
        }
    }

    /// Trains on games; calls `on_epoch` after each pass with the losses on the games of the pass and
    /// on those held out.
    pub fn train(
        &mut self,
        settings: &GomokuFit,
        games: &[GomokuGame],
        mut on_epoch: impl FnMut(usize, Losses, Losses),
    ) {
        let is_held_out = |at: &usize| at.is_multiple_of(HELD_OUT);
        let (held_out, mut order): (Vec<usize>, Vec<usize>) =
            (0..games.len()).partition(is_held_out);
        let mut random = SplitMix::new(settings.seed);
        let batches = order.len().div_ceil(settings.batch.max(1)).max(1) * settings.epochs;
        let mut batch_number = 0;
        for epoch in 1..=settings.epochs {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at + 1));
            }
            let mut losses = Losses::default();
            for batch in order.chunks(settings.batch.max(1)) {
                let gradient = self.gradient(settings, games, batch);
                let done = batch_number as f32 / batches as f32;
                let rate = settings.rate * (0.525 + 0.475 * (std::f32::consts::PI * done).cos());
                self.update(&gradient, rate);
                losses.add(&gradient.losses);
                batch_number += 1;
            }
            let checked = self.gradient(settings, games, &held_out).losses;
            on_epoch(epoch, losses.mean(), checked.mean());
        }
    }

    fn gradient(&self, settings: &GomokuFit, games: &[GomokuGame], batch: &[usize]) -> Gradient {
        let chunks: Vec<Gradient> = batch
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut gradient = Gradient::zero();
                for &at in chunk {
                    self.add_game(settings, &games[at], &mut gradient);
                }
                gradient
            })
            .collect();
        let mut sum = Gradient::zero();
        for chunk in &chunks {
            sum.add(chunk);
        }
        sum
    }

    fn add_game(&self, settings: &GomokuFit, game: &GomokuGame, gradient: &mut Gradient) {
        let Ok(rules) = Gomoku::new(game.side.into(), game.rule) else {
            return;
        };
        let mut board = TrainingBoard::new(&rules);
        for (ply, mv) in game.moves.iter().enumerate() {
            if ply >= usize::from(game.random) && board.is_quiet() {
                if mv.score.abs() < GridEngine::WIN {
                    let won = f32::from(game.result) / 2.0;
                    let won = if ply.is_multiple_of(2) {
                        won
                    } else {
                        1.0 - won
                    };
                    let searched = sigmoid(f32::from(mv.score) / SCALE);
                    let target = settings.result * won + (1.0 - settings.result) * searched;
                    self.add_value(&board, target, gradient);
                }
                self.add_order(&board, mv.cell, gradient);
            }
            board.play(mv.cell);
        }
    }

    fn add_value(&self, board: &TrainingBoard, target: f32, gradient: &mut Gradient) {
        let tables = board.tables();
        let threats = tables[0] * GomokuWeights::THREATS + board.threats();
        let mut logit = self.threats[threats];
        for cell in board.empty() {
            let [mover, other] = board.sets(cell);
            logit += self.values[place(tables[0], mover, 0)];
            logit -= self.values[place(tables[1], other, 1)];
        }
        let expected = sigmoid(logit);
        let error = expected - target;
        for cell in board.empty() {
            let [mover, other] = board.sets(cell);
            gradient.values[place(tables[0], mover, 0)] += error;
            gradient.values[place(tables[1], other, 1)] -= error;
        }
        gradient.threats[threats] += error;
        let loss = -f64::from(target) * f64::from(expected.max(1e-6)).ln()
            - f64::from(1.0 - target) * f64::from((1.0 - expected).max(1e-6)).ln();
        gradient.losses.value += loss;
        gradient.losses.counts[0] += 1;
    }

    fn add_order(&self, board: &TrainingBoard, chosen: u16, gradient: &mut Gradient) {
        let tables = board.tables();
        let mut moves: Vec<(f32, [usize; 2], bool)> = Vec::new();
        for cell in board.near() {
            let [mover, other] = board.sets(cell);
            let places = [place(tables[0], mover, 0), place(tables[1], other, 1)];
            let logit = self.orders[places[0]] + self.orders[places[1]];
            moves.push((logit, places, cell == chosen));
        }
        let best = moves.iter().map(|mv| mv.0).fold(f32::MIN, f32::max);
        let Some(&(played, ..)) = moves.iter().find(|mv| mv.2) else {
            return;
        };
        let sum: f32 = moves.iter().map(|mv| (mv.0 - best).exp()).sum();
        for (logit, places, is_chosen) in moves {
            let error = (logit - best).exp() / sum - f32::from(u8::from(is_chosen));
            gradient.orders[places[0]] += error;
            gradient.orders[places[1]] += error;
        }
        gradient.losses.order += f64::from(sum.ln() + best - played);
        gradient.losses.hits += f64::from(u8::from(played >= best));
        gradient.losses.counts[1] += 1;
    }

    fn update(&mut self, gradient: &Gradient, rate: f32) {
        self.steps += 1;
        let [values, orders] = gradient.losses.counts.map(|count| count.max(1) as f32);
        let correction =
            (1.0 - 0.999_f32.powi(self.steps)).sqrt() / (1.0 - 0.9_f32.powi(self.steps));
        let rate = rate * correction;
        let lists = [
            (&mut self.values[..], &gradient.values[..], values),
            (&mut self.orders[..], &gradient.orders[..], orders),
            (&mut self.threats[..], &gradient.threats[..], values),
        ];
        let mut moments = self.moments.iter_mut();
        for (weights, gradients, count) in lists {
            for ((weight, &gradient), moment) in weights.iter_mut().zip(gradients).zip(&mut moments)
            {
                let gradient = gradient / count + DECAY * *weight;
                moment[0] += 0.1 * (gradient - moment[0]);
                moment[1] += 0.001 * (gradient * gradient - moment[1]);
                *weight -= rate * moment[0] / (moment[1].sqrt() + DAMPING);
            }
        }
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl Losses {
    fn add(&mut self, other: &Self) {
        self.value += other.value;
        self.order += other.order;
        self.hits += other.hits;
        self.counts[0] += other.counts[0];
        self.counts[1] += other.counts[1];
    }

    fn mean(self) -> Self {
        let [values, orders] = self.counts.map(|count| count.max(1) as f64);
        Self {
            value: self.value / values,
            order: self.order / orders,
            hits: self.hits / orders,
            counts: self.counts,
        }
    }
}

impl Gradient {
    fn zero() -> Self {
        Self {
            values: vec![0.0; LIST],
            orders: vec![0.0; LIST],
            threats: vec![0.0; THREATS],
            losses: Losses::default(),
        }
    }

    fn add(&mut self, other: &Self) {
        let lists = [
            (&mut self.values, &other.values),
            (&mut self.orders, &other.orders),
            (&mut self.threats, &other.threats),
        ];
        for (to, from) in lists {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
        self.losses.add(&other.losses);
    }
}
