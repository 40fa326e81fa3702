//! Calibration of the offsets that the evaluation adds for each number of empty squares.
//!
//! A stage covers two plies, but the side that moves last in it gains about two discs. Also, a
//! search maximises over many evaluations and is thereby biased. The offset of a ply is chosen so
//! that searches that end there have no bias.

use crate::games::Game;
use crate::parallel_map;
use papan_othello::eval::network::PLIES;
use papan_othello::{Board, Engine, Evaluation, Options};
use std::sync::Arc;

/// Search depths: both parities twice.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=4;

/// Positions with a larger score, in discs, are not used.
const MAX_SCORE: i8 = 40;

/// Pseudo-count of the shrinkage estimator: with this number of searches, a mean is halved.
const SHRINKAGE: f64 = 40.0;

/// Games per job, which share an engine.
const GAMES_PER_JOB: usize = 64;

/// Returns the offset for each number of empty squares, in discs, from one position of each game.
pub fn fit(games: &[Game], evaluation: &Arc<Evaluation>, threads: usize) -> [f64; PLIES] {
    let found = parallel_map(games.len().div_ceil(GAMES_PER_JOB), threads, |job| {
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let mut engine =
            Engine::with_evaluation(&options, evaluation.clone()).expect("1 MiB can be allocated");
        let first = job * GAMES_PER_JOB;
        (first..)
            .zip(&games[first..])
            .take(GAMES_PER_JOB)
            .filter_map(|(number, game)| sample_position(game, number))
            .flat_map(|(board, label)| residuals(&mut engine, board, label))
            .collect::<Vec<_>>()
    });
    let mut sums = [ResidualSum::default(); PLIES];
    for Residual { empties, discs } in found.into_iter().flatten() {
        let sum = &mut sums[empties as usize];
        sum.discs += discs;
        sum.count += 1.0;
    }
    std::array::from_fn(|empties| smoothed_mean(&sums, empties))
}

/// The error of a search at the leaves.
struct Residual {
    /// Number of empty squares at the leaves.
    empties: u32,
    /// True score minus the score of the search, for the side to move at the leaves.
    discs: f64,
}

#[derive(Clone, Copy, Default)]
struct ResidualSum {
    discs: f64,
    count: f64,
}

/// Returns a position of a game and its score, at a ply that varies from game to game.
fn sample_position(game: &Game, number: usize) -> Option<(Board, i8)> {
    let mut positions = game.positions();
    positions.retain(|(_, label)| label.abs() <= MAX_SCORE);
    let place = number.wrapping_mul(7919) % positions.len().max(1);
    positions.get(place).copied()
}

/// Returns the residuals of searches of all depths.
fn residuals(engine: &mut Engine, board: Board, label: i8) -> Vec<Residual> {
    let depths = DEPTHS.filter(|&depth| depth < board.empties());
    let residual = |depth: u32| {
        let error = f64::from(i32::from(label) - engine.score_at_depth(board, depth));
        let is_same_side = depth.is_multiple_of(2);
        Residual {
            empties: board.empties() - depth,
            discs: if is_same_side { error } else { -error },
        }
    };
    depths.map(residual).collect()
}

/// Returns the mean residual of a ply and, with half the weight, of its neighbours of the same
/// parity, shrunk towards zero.
fn smoothed_mean(sums: &[ResidualSum; PLIES], empties: usize) -> f64 {
    let kernel = [
        (empties.wrapping_sub(2), 0.5),
        (empties, 1.0),
        (empties + 2, 0.5),
    ];
    let (mut discs, mut count) = (0.0, SHRINKAGE);
    for (ply, weight) in kernel {
        if let Some(sum) = sums.get(ply) {
            discs += weight * sum.discs;
            count += weight * sum.count;
        }
    }
    discs / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_othello::Square;

    #[test]
    fn offsets_reproduce_the_labels_of_a_zero_evaluation() {
        let mut game = Game::default();
        let mut board = Board::START;
        // Four discs for the side to move at an odd number of empty squares.
        while board.empties() > 20 && !board.moves().is_empty() {
            let square: Square = board.moves().next().expect("moves is not empty");
            let odd = board.empties() % 2 == 1;
            game.moves.push(square);
            game.labels.push(Some(if odd { 4 } else { -4 }));
            board = board.play(square).expect("the move is legal");
        }
        let blank = Arc::new(Evaluation::zero());
        let offsets = fit(&vec![game; 600], &blank, 2);
        assert!(offsets[45] > 3.0 && offsets[46] < -3.0, "{offsets:?}");
        assert_eq!(offsets[5], 0.0, "no search ended there");
    }
}
