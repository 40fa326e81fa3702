//! Fitting the multi-ProbCut parameters: the standard deviation between shallow and deep searches.
//!
//! Positions from played games are searched without selectivity to several depths; those near the
//! end are also solved. The logarithm of the standard deviation is then fitted by weighted linear
//! regression, separately for midgame searches and for solving.
//!
//! Reference: Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for
//! Othello" (1997).

use crate::games::Game;
use crate::parallel_map;
use papan_othello::{Board, Engine, Evaluation, Options, ProbCutModel};
use std::sync::Arc;

/// A shallow and a deep search of the same position.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Empty squares.
    pub empties: u32,
    /// Depth of the deep search; equal to the number of empty squares if the position was solved.
    pub depth: u32,
    /// Depth of the shallow search.
    pub shallow: u32,
    /// Deep minus shallow score, in discs.
    pub error: f64,
}

/// Searches one position of every game, at a ply that varies from game to game.
pub fn pairs(
    games: &[Game],
    evaluation: &Arc<Evaluation>,
    deepest: u32,
    solve: u32,
    threads: usize,
) -> Vec<Pair> {
    let search = |at: usize| {
        let positions = games[at].positions();
        if positions.is_empty() {
            return Vec::new();
        }
        let place = at.wrapping_mul(7919) % positions.len();
        search_pairs(positions[place].0, evaluation, deepest, solve)
    };
    parallel_map(games.len(), threads, search)
        .into_iter()
        .flatten()
        .collect()
}

fn search_pairs(board: Board, evaluation: &Arc<Evaluation>, deepest: u32, solve: u32) -> Vec<Pair> {
    let empties = board.empties();
    if empties < 10 || board.moves().is_empty() {
        return Vec::new();
    }
    let options = Options {
        threads: 1,
        hash_mib: 4,
    };
    let mut engine =
        Engine::with_evaluation(&options, evaluation.clone()).expect("4 MiB can be allocated");
    let max_depth = deepest.min(empties - 1);
    let scores: Vec<i32> = (0..=max_depth)
        .map(|depth| engine.score_at_depth(board, depth))
        .collect();
    let mut pairs = Vec::new();
    let mut pair = |depth: u32, deep: i32, shallow: u32| {
        let error = f64::from(deep - scores[shallow as usize]);
        // Clearly decided games would distort the statistics.
        if deep.abs() < 50 {
            pairs.push(Pair {
                empties,
                depth,
                shallow,
                error,
            });
        }
    };
    for depth in 1..=max_depth {
        for shallow in 0..depth {
            if (depth - shallow) % 2 == 0 {
                pair(depth, scores[depth as usize], shallow);
            }
        }
    }
    if empties <= solve {
        let exact = engine.score_at_depth(board, empties);
        for shallow in 0..=max_depth {
            pair(empties, exact, shallow);
        }
    }
    pairs
}

/// The fitted parameters.
#[derive(Clone, Copy, Debug)]
pub struct ProbCutFit {
    /// The model for the weights file.
    pub model: ProbCutModel,
    /// Mean absolute error of the logarithm in the midgame.
    pub midgame_error: f64,
    /// Mean absolute error of the logarithm in the endgame.
    pub endgame_error: f64,
}

/// Fits the model to pairs of searches.
pub fn fit(pairs: &[Pair]) -> ProbCutFit {
    let is_solved = |pair: &Pair| pair.depth == pair.empties;
    let midgame = fit_deviation(pairs.iter().copied().filter(|pair| !is_solved(pair)));
    let endgame = fit_deviation(pairs.iter().copied().filter(is_solved));
    ProbCutFit {
        model: ProbCutModel {
            midgame: midgame.coefficients.map(|value| value as f32),
            endgame: endgame.coefficients.map(|value| value as f32),
        },
        midgame_error: midgame.error,
        endgame_error: endgame.error,
    }
}

/// A linear model of the logarithm of the standard deviation.
struct DeviationFit {
    /// Intercept, and coefficients of the shallow depth, the logarithm of the depth difference
    /// and the number of empty squares.
    coefficients: [f64; 4],
    /// Mean absolute error.
    error: f64,
}

/// One observation of a linear regression.
struct Observation {
    features: [f64; 4],
    value: f64,
    weight: f64,
}

/// Fits the standard deviation of pairs, grouped by empty squares and depths.
fn fit_deviation(pairs: impl Iterator<Item = Pair>) -> DeviationFit {
    #[derive(Default)]
    struct Cell {
        count: f64,
        squares: f64,
    }
    let mut cells = std::collections::BTreeMap::<_, Cell>::new();
    for pair in pairs {
        let cell = cells
            .entry((pair.empties / 3, pair.depth, pair.shallow))
            .or_default();
        cell.count += 1.0;
        cell.squares += pair.error * pair.error;
    }
    let observations: Vec<Observation> = cells
        .into_iter()
        .filter(|(_, cell)| cell.count >= 30.0)
        .map(|((thirds, depth, shallow), cell)| {
            let difference = f64::from(1 + depth - shallow).ln();
            let empties = f64::from(3 * thirds + 1);
            Observation {
                features: [1.0, f64::from(shallow), difference, empties],
                value: (cell.squares / cell.count).sqrt().max(0.5).ln(),
                weight: cell.count,
            }
        })
        .collect();
    let coefficients = least_squares(&observations);
    let weighted_error = |observation: &Observation| {
        let terms = observation.features.iter().zip(&coefficients);
        let predicted: f64 = terms.map(|(a, b)| a * b).sum();
        observation.weight * (predicted - observation.value).abs()
    };
    let total: f64 = observations
        .iter()
        .map(|observation| observation.weight)
        .sum();
    let error = observations.iter().map(weighted_error).sum::<f64>() / total.max(1.0);
    DeviationFit {
        coefficients,
        error,
    }
}

/// Solves the normal equations of a weighted least-squares problem.
fn least_squares(observations: &[Observation]) -> [f64; 4] {
    let mut system = [[0.0; 5]; 4];
    for Observation {
        features,
        value,
        weight,
    } in observations
    {
        for i in 0..4 {
            for j in 0..4 {
                system[i][j] += weight * features[i] * features[j];
            }
            system[i][4] += weight * features[i] * value;
        }
    }
    for i in 0..4 {
        // The matrix is positive definite, so no pivoting is needed.
        let pivot = system[i];
        for (j, line) in system.iter_mut().enumerate() {
            if j != i && pivot[i] != 0.0 {
                let part = line[i] / pivot[i];
                for k in 0..5 {
                    line[k] -= part * pivot[k];
                }
            }
        }
    }
    std::array::from_fn(|i| {
        if system[i][i] == 0.0 {
            0.0
        } else {
            system[i][4] / system[i][i]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_recovers_known_coefficients() {
        let mut pairs = Vec::new();
        for empties in [10u32, 19, 28, 40] {
            for (depth, shallow) in [(3, 1), (6, 2), (8, 4), (9, 1), (7, 3)] {
                let deviation = (1.0 - 0.05 * f64::from(shallow)
                    + 0.4 * f64::from(1 + depth - shallow).ln()
                    + 0.01 * f64::from(empties))
                .exp();
                for _ in 0..40 {
                    pairs.push(Pair {
                        empties,
                        depth,
                        shallow,
                        error: deviation * 1000.0,
                    });
                }
            }
        }
        let found = fit_deviation(pairs.into_iter()).coefficients;
        assert!(
            (found[1] + 0.05).abs() < 0.01 && (found[2] - 0.4).abs() < 0.01,
            "{found:?}"
        );
        assert!((found[3] - 0.01).abs() < 0.01, "{found:?}");
    }
}
