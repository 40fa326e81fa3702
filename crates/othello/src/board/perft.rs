//! Perft: counts the leaves of the game tree at a given depth, to test move generation and its speed.
//!
//! A pass counts as a ply. The last ply is counted in bulk: the number of moves of a position is the
//! number of its leaves at depth 1. There is no hash table.
//! See <https://www.chessprogramming.org/Perft>.

use crate::board::Board;

/// Returns the number of lines of play of exactly `depth` plies, or shorter if the game ends.
///
/// ```
/// use papan_othello::{Board, perft};
/// assert_eq!(perft(Board::START, 5), 1396);
/// ```
pub fn perft(board: Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(board),
        _ => inner(board, depth),
    }
}

fn inner(board: Board, depth: u32) -> u64 {
    let moves = board.moves();
    if moves.is_empty() {
        let passed = board.passed();
        return if passed.moves().is_empty() {
            1
        } else {
            perft(passed, depth - 1)
        };
    }
    let mut lines = 0;
    for square in moves {
        let child = board.child(square);
        lines += if depth == 2 {
            leaves(child)
        } else {
            inner(child, depth - 1)
        };
    }
    lines
}

/// Returns the leaves at depth 1: the moves, or one for a pass or the end of the game.
#[inline(always)]
fn leaves(board: Board) -> u64 {
    u64::from(board.moves().len().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_start_are_the_published_ones() {
        let published = [
            1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284,
        ];
        for (depth, lines) in published.into_iter().enumerate() {
            assert_eq!(perft(Board::START, depth as u32), lines, "depth {depth}");
        }
    }

    #[test]
    fn a_finished_game_has_one_leaf() {
        let over = Board::try_new(1, 0).expect("the sets are disjoint");
        assert_eq!(perft(over, 4), 1);
    }
}
