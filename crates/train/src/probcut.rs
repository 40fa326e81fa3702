//! Fitting multi-ProbCut: how far shallow results lie from deep ones.
//!
//! Positions from played games are searched without guessing to many depths, those near the end
//! also solved. The spread of the differences is then described by a formula, one for searches
//! that stop at the evaluation and one for searches to the end.

use crate::games::Game;
use crate::parallel::in_parallel;
use papan_othello::{Board, Engine, Evaluation, Options, ProbCutModel};
use std::sync::Arc;

/// One pair of searches of one position.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Empty squares.
    pub empties: u32,
    /// Plies of the deeper search; all of them when it was solved.
    pub depth: u32,
    /// Plies of the shallower search.
    pub shallow: u32,
    /// Deep minus shallow result, in discs.
    pub error: f64,
}

/// Searches one position of every `stride`-th game, at a ply that varies from game to game.
pub fn pairs(
    games: &[Game],
    evaluation: &Arc<Evaluation>,
    deepest: u32,
    solve: u32,
    threads: usize,
) -> Vec<Pair> {
    let found = in_parallel(games.len(), threads, |at| {
        let positions = games[at].positions();
        if positions.is_empty() {
            return Vec::new();
        }
        let place = at.wrapping_mul(7919) % positions.len();
        of_position(positions[place].0, evaluation, deepest, solve)
    });
    found.into_iter().flatten().collect()
}

fn of_position(board: Board, evaluation: &Arc<Evaluation>, deepest: u32, solve: u32) -> Vec<Pair> {
    let empties = board.empties();
    if empties < 10 || board.moves().is_empty() {
        return Vec::new();
    }
    let options = Options {
        threads: 1,
        hash_mib: 4,
    };
    let mut engine =
        Engine::with_evaluation(&options, evaluation.clone()).expect("4 MiB can be had");
    let most = deepest.min(empties - 1);
    let scores: Vec<i32> = (0..=most)
        .map(|depth| engine.score_at_depth(board, depth))
        .collect();
    let mut pairs = Vec::new();
    let mut pair = |depth: u32, deep: i32, shallow: u32| {
        let error = f64::from(deep - scores[shallow as usize]);
        // A won or lost game says nothing about ordinary ones.
        if deep.abs() < 50 {
            pairs.push(Pair {
                empties,
                depth,
                shallow,
                error,
            });
        }
    };
    for depth in 1..=most {
        for shallow in 0..depth {
            if (depth - shallow) % 2 == 0 {
                pair(depth, scores[depth as usize], shallow);
            }
        }
    }
    if empties <= solve {
        let exact = engine.score_at_depth(board, empties);
        for shallow in 0..=most {
            pair(empties, exact, shallow);
        }
    }
    pairs
}

/// The constants that describe the pairs, and the mean errors of the two descriptions.
pub fn fit(pairs: &[Pair]) -> (ProbCutModel, [f64; 2]) {
    let solved = |pair: &Pair| pair.depth == pair.empties;
    let (searching, a) = describe(pairs.iter().copied().filter(|pair| !solved(pair)));
    let (solving, b) = describe(pairs.iter().copied().filter(solved));
    let short = |constants: [f64; 4]| constants.map(|constant| constant as f32);
    let probcut = ProbCutModel {
        midgame: short(searching),
        endgame: short(solving),
    };
    (probcut, [a, b])
}

/// The four constants of the formula for the logarithm of the spread: a constant, per shallow
/// ply, per logarithm of the gap, per empty square; and the mean error of the description.
fn describe(pairs: impl Iterator<Item = Pair>) -> ([f64; 4], f64) {
    let mut cells = std::collections::BTreeMap::<_, (f64, f64)>::new();
    for pair in pairs {
        let cell = cells
            .entry((pair.empties / 3, pair.depth, pair.shallow))
            .or_default();
        cell.0 += 1.0;
        cell.1 += pair.error * pair.error;
    }
    let rows: Vec<([f64; 4], f64, f64)> = cells
        .into_iter()
        .filter(|(_, (count, _))| *count >= 30.0)
        .map(|((thirds, depth, shallow), (count, squares))| {
            let gap = f64::from(1 + depth - shallow).ln();
            let row = [1.0, f64::from(shallow), gap, f64::from(3 * thirds + 1)];
            (row, (squares / count).sqrt().max(0.5).ln(), count)
        })
        .collect();
    let constants = least_squares(&rows);
    let error = |(row, value, count): &([f64; 4], f64, f64)| {
        let told: f64 = row.iter().zip(&constants).map(|(a, b)| a * b).sum();
        count * (told - value).abs()
    };
    let total: f64 = rows.iter().map(|(_, _, count)| count).sum();
    let mean = rows.iter().map(error).sum::<f64>() / total.max(1.0);
    (constants, mean)
}

fn least_squares(rows: &[([f64; 4], f64, f64)]) -> [f64; 4] {
    let mut system = [[0.0; 5]; 4];
    for (row, value, weight) in rows {
        for i in 0..4 {
            for j in 0..4 {
                system[i][j] += weight * row[i] * row[j];
            }
            system[i][4] += weight * row[i] * value;
        }
    }
    for i in 0..4 {
        // The system is positive definite, so the diagonal serves as pivot.
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
    fn a_known_formula_is_found_again() {
        let mut pairs = Vec::new();
        for empties in [10u32, 19, 28, 40] {
            for (depth, shallow) in [(3, 1), (6, 2), (8, 4), (9, 1), (7, 3)] {
                let spread = (1.0 - 0.05 * f64::from(shallow)
                    + 0.4 * f64::from(1 + depth - shallow).ln()
                    + 0.01 * f64::from(empties))
                .exp();
                for _ in 0..40 {
                    pairs.push(Pair {
                        empties,
                        depth,
                        shallow,
                        error: spread * 1000.0,
                    });
                }
            }
        }
        let (found, _) = describe(pairs.into_iter());
        assert!(
            (found[1] + 0.05).abs() < 0.01 && (found[2] - 0.4).abs() < 0.01,
            "{found:?}"
        );
        assert!((found[3] - 0.01).abs() < 0.01, "{found:?}");
    }
}
