//! Fitting the offsets: what is added to the evaluation for each number of empty squares.
//!
//! A table serves two plies of the game, but who moves last in it is worth about two discs, and
//! the search compares nothing with the evaluation as it stands: it takes the best of many. So a
//! ply's offset is what makes the searches that end there right in the mean.

use crate::games::Game;
use crate::parallel::in_parallel;
use papan_othello::eval::network::PLIES;
use papan_othello::{Board, Engine, Evaluation, Options};
use std::sync::Arc;

/// The searches whose mean counts: both parities twice.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=4;

/// Scores beyond this many discs say nothing about ordinary games.
const ORDINARY: i8 = 40;

/// As many searches as a ply needs before half of what they say is believed.
const DOUBT: f64 = 40.0;

/// Games that one job takes, with one engine for all of them.
const JOB: usize = 64;

/// What to add for each number of empty squares, in discs, from one position of every game.
pub fn fit(games: &[Game], evaluation: &Arc<Evaluation>, threads: usize) -> [f64; PLIES] {
    let found = in_parallel(games.len().div_ceil(JOB), threads, |job| {
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let engine = Engine::with_evaluation(&options, evaluation.clone());
        let mut engine = engine.expect("1 MiB can be had");
        let chosen = (job * JOB..).zip(&games[job * JOB..]).take(JOB);
        let positions = chosen.filter_map(|(number, game)| ordinary_position(game, number));
        positions
            .flat_map(|(board, label)| differences(&mut engine, board, label))
            .collect::<Vec<_>>()
    });
    let mut sums = [(0.0, 0.0); PLIES];
    for (empties, difference) in found.into_iter().flatten() {
        sums[empties as usize].0 += difference;
        sums[empties as usize].1 += 1.0;
    }
    std::array::from_fn(|empties| smoothed(&sums, empties))
}

/// One position of a game, at a ply that varies from game to game, with its score.
fn ordinary_position(game: &Game, number: usize) -> Option<(Board, i8)> {
    let mut positions = game.positions();
    positions.retain(|(_, label)| label.abs() <= ORDINARY);
    let place = number.wrapping_mul(7919) % positions.len().max(1);
    positions.get(place).copied()
}

/// For the searches of a position: where they end, and what they lack there, from the side of
/// the one who would move.
fn differences(engine: &mut Engine, board: Board, label: i8) -> Vec<(u32, f64)> {
    let depths = DEPTHS.filter(|&depth| depth < board.empties());
    let difference = |depth: u32| {
        let lacking = f64::from(i32::from(label) - engine.score_at_depth(board, depth));
        let same_side = depth.is_multiple_of(2);
        (
            board.empties() - depth,
            if same_side { lacking } else { -lacking },
        )
    };
    depths.map(difference).collect()
}

/// The mean of a ply and, at half the weight, of its neighbours of the same parity.
fn smoothed(sums: &[(f64, f64); PLIES], empties: usize) -> f64 {
    let near = [
        (empties.wrapping_sub(2), 0.5),
        (empties, 1.0),
        (empties + 2, 0.5),
    ];
    let (mut sum, mut count) = (0.0, DOUBT);
    for (near, weight) in near {
        if let Some(&(s, c)) = sums.get(near) {
            sum += weight * s;
            count += weight * c;
        }
    }
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_othello::Square;

    #[test]
    fn an_evaluation_that_knows_nothing_learns_what_the_games_say() {
        let mut game = Game::default();
        let mut board = Board::START;
        // Four discs for whoever has the move at an odd number.
        while board.empties() > 20 && !board.moves().is_empty() {
            let square: Square = board.moves().next().expect("there is a move");
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
