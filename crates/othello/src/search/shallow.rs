//! Shallow alpha-beta search: the last plies before the horizon, without transposition table.
//!
//! Also serves as the look-ahead of move ordering, where it evaluates leaves by the pattern tables
//! alone.

use crate::board::Board;
use crate::board::geometry::{CORNERS, neighbours};
use crate::board::square::Squares;
use crate::eval::node::Node;
use crate::eval::score::{DISC, SCORE_MAX, from_eval};
use crate::search::best::Best;
use crate::search::move_picker::MovePicker;
use crate::search::worker::SearchThread;

/// Up to this depth a midgame search does not use the transposition table.
pub(crate) const MAX_SHALLOW_DEPTH: u32 = 2;

/// Searches `depth` plies with the window `alpha` to `beta`. With `TABLES_ONLY`, leaves at depth 1
/// are evaluated without the network.
pub(crate) fn shallow<const TABLES_ONLY: bool>(
    thread: &mut SearchThread<'_>,
    node: &Node,
    mut alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    thread.count_node();
    if depth == 0 {
        return thread.evaluate(node);
    }
    let board = node.board;
    let moves = board.moves();
    if moves.is_empty() {
        return if board.passed().moves().is_empty() {
            DISC * board.final_score()
        } else {
            -shallow::<TABLES_ONLY>(thread, &node.passed(), -beta, -alpha, depth)
        };
    }
    let mut best = Best::NONE.score;
    if depth == 1 {
        thread.count_nodes(moves.len());
        for group in order_statically(moves, board) {
            for square in group {
                let flips = board.flips(square);
                let score = if flips == board.opp() {
                    SCORE_MAX
                } else if TABLES_ONLY {
                    let evaluation = thread.evaluation();
                    -from_eval(evaluation.table_sum_after(node, square, flips))
                } else {
                    // Only scores that beat the best so far and stay below beta must be exact.
                    let (low, high) = (-beta, -alpha.max(best));
                    -thread
                        .evaluation()
                        .bounded_score_after(node, square, flips, low, high)
                };
                best = best.max(score);
                if best >= beta {
                    return best;
                }
            }
        }
        return best;
    }
    let mut picker = MovePicker::new(thread, node, moves, alpha, depth);
    while let Some(square) = picker.next() {
        let child = node.child(square);
        let score = -shallow::<TABLES_ONLY>(thread, &child, -beta, -alpha, depth - 1);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Orders the moves of the last ply: corners, squares away from empty corners, neighbours of empty
/// corners. Of the first group five in six cut, of the last two in five.
#[inline(always)]
const fn order_statically(moves: Squares, board: Board) -> [Squares; 3] {
    let moves = moves.bits();
    let exposed = neighbours(board.empty_squares().bits() & CORNERS) & !CORNERS;
    [
        Squares(moves & CORNERS),
        Squares(moves & !(CORNERS | exposed)),
        Squares(moves & exposed),
    ]
}
