//! Null-window search (NWS): tests whether the score of a node exceeds alpha.
//!
//! Most nodes of a PVS are searched this way. `depth` counts the plies that remain; where it equals
//! the number of empty squares, the search reaches the end of the game ("solving") and the result
//! is a final score, exact or selective. Scores are in 1/16 disc ([`score`](crate::eval::score)).
//!
//! The steps are numbered as in Stockfish. References: Marsland 1986 (PVS and null windows), Plaat
//! et al. 1996 (*Exploiting graph properties of game trees*: enhanced transposition cutoffs), Buro
//! 1997 (Multi-ProbCut).

use crate::board::Board;
use crate::board::square::{Square, Squares};
use crate::endgame::MAX_ENDGAME_EMPTIES;
use crate::eval::node::Node;
use crate::eval::score::{DISC, floor_to_discs};
use crate::parallel::currently_searching::MoveKey;
use crate::parallel::split_policy::{splits_all, splits_rest};
use crate::parallel::ybwc::split;
use crate::search::best::Best;
use crate::search::move_picker::MovePicker;
use crate::search::node_type::NodeType;
use crate::search::probcut::{MAX_NESTING, MIN_PROBCUT_DEPTH, ShallowTest};
use crate::search::selectivity::Selectivity;
use crate::search::shallow::{MAX_SHALLOW_DEPTH, shallow};
use crate::search::worker::SearchThread;

/// Minimum depth for enhanced transposition cutoffs.
const ETC_MIN_DEPTH: u32 = 5;

/// Minimum depth for internal iterative deepening, in the midgame and when solving.
const IID_MIN_DEPTH: u32 = 12;
const IID_MIN_DEPTH_SOLVING: u32 = 22;

/// Returns a bound that lies on the same side of `alpha` as the score. `depth` may exceed the number
/// of empty squares.
pub(crate) fn nws(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    depth: u32,
    node_type: NodeType,
) -> i32 {
    let board = node.board;
    let empties = board.empties();
    let depth = depth.min(empties);
    let solving = depth == empties;
    // Final scores are whole discs.
    let alpha = if solving {
        DISC * floor_to_discs(alpha)
    } else {
        alpha
    };
    // Step 1. Endgame solver, or the last plies before the horizon.
    if solving && empties <= MAX_ENDGAME_EMPTIES {
        let discs = floor_to_discs(alpha);
        return DISC * thread.endgame().solve(board, discs, empties, node_type);
    }
    if depth <= MAX_SHALLOW_DEPTH && !solving {
        return shallow::<false>(thread, node, alpha, alpha + 1, depth);
    }
    thread.count_node();
    if thread.stopped() {
        return alpha;
    }
    // Step 2. Stability cutoff.
    let discs = floor_to_discs(alpha);
    if let Some(bound) = thread.endgame().stability_cutoff::<0>(board, discs) {
        return DISC * bound;
    }
    // Step 3. Transposition table.
    let mut hash_move = None;
    // Whether a search at the next lower selectivity has already chosen the hash move.
    let lower_selectivity = thread.selectivity.lower();
    let mut has_iid_move = false;
    // A TT bound from a shallower search predicts the node type better than the parent does. When
    // solving, an all node waits for its first move, whose TT entries help the others.
    let mut is_all_node = node_type == NodeType::All && !solving;
    if let Some(entry) = thread.tt().probe(board) {
        if let Some(score) = thread.tt_cutoff(entry, alpha, depth) {
            return score;
        }
        let (failed_low, failed_high) = (entry.upper() <= alpha, entry.lower() > alpha);
        is_all_node = failed_low || is_all_node && !failed_high;
        hash_move = Some(entry.mv);
        has_iid_move = u32::from(entry.depth) >= depth && entry.selectivity >= lower_selectivity;
    }
    // Step 4. Pass, or the end of the game.
    let moves = board.moves();
    if moves.is_empty() {
        return if board.passed().moves().is_empty() {
            DISC * board.final_score()
        } else {
            -nws(
                thread,
                &node.passed(),
                !alpha,
                depth,
                node_type.first_child(),
            )
        };
    }
    // Step 5. Enhanced transposition cutoff.
    if depth >= ETC_MIN_DEPTH
        && let Some(score) = etc_cutoff(thread, board, moves, alpha, depth)
    {
        return score;
    }
    // Step 6. Multi-ProbCut.
    if thread.selectivity < Selectivity::Exact
        && depth >= MIN_PROBCUT_DEPTH
        && let Some(score) = probcut(thread, node, alpha, depth)
    {
        return score;
    }
    // Step 7. Internal iterative deepening at the next lower selectivity.
    let iid_min_depth = if solving {
        IID_MIN_DEPTH_SOLVING
    } else {
        IID_MIN_DEPTH
    };
    if thread.selectivity > lower_selectivity
        && depth >= iid_min_depth
        && node_type == NodeType::Cut
        && !has_iid_move
    {
        hash_move = iid_move(thread, node, alpha, depth, lower_selectivity).or(hash_move);
    }
    // Step 8. Hash move, then the others in order. An expected all node is split at once.
    let hash_move = hash_move.filter(|&mv| moves.contains(mv));
    let best = if is_all_node && moves.len() > 1 && splits_all(thread, depth, empties) {
        split_all_moves(thread, node, alpha, depth, moves, hash_move)
    } else {
        nws_moves(thread, node, alpha, depth, node_type, moves, hash_move)
    };
    if thread.stopped() {
        return alpha;
    }
    // Step 9. Store the result.
    thread.tt_store(board, alpha, alpha + 1, best, depth);
    best.score
}

/// Returns the score of a move for the player who makes it; `child_type` is the expected type of the
/// node after it.
#[inline(always)]
pub(crate) fn nws_child(
    thread: &mut SearchThread<'_>,
    node: &Node,
    square: Square,
    alpha: i32,
    depth: u32,
    child_type: NodeType,
) -> i32 {
    let flips = node.board.flips(square);
    let empties = node.empties() - 1;
    if depth > empties && empties <= MAX_ENDGAME_EMPTIES {
        // The endgame solver needs no pattern indices.
        let child = node.board.after(square, flips);
        let discs = !floor_to_discs(alpha);
        return -DISC * thread.endgame().solve(child, discs, empties, child_type);
    }
    let child = node.after(square, flips);
    let mark = thread
        .currently_searching(depth)
        .map(|table| table.start_search(MoveKey::new(child.board, depth)));
    let score = -nws(thread, &child, !alpha, depth - 1, child_type);
    if let Some(mark) = mark {
        mark.finish();
    }
    score
}

/// Searches the moves of a node one after the other, splitting after the first if other threads
/// wait.
#[inline]
pub(crate) fn nws_moves(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    depth: u32,
    node_type: NodeType,
    mut moves: Squares,
    hash_move: Option<Square>,
) -> Best {
    let mut best = Best::NONE;
    if let Some(square) = hash_move {
        let score = nws_child(thread, node, square, alpha, depth, node_type.first_child());
        best = Best::new(score, square);
        moves = moves.without(square);
        if best.score > alpha || moves.is_empty() {
            return best;
        }
    }
    let mut picker = MovePicker::new(thread, node, moves, alpha, depth);
    while let Some(square) = picker.next() {
        if best.mv.is_some() && picker.defer_if_searched(thread, node, square, depth) {
            continue;
        }
        let child_type = node_type.later_child(best.mv.is_none());
        let score = nws_child(thread, node, square, alpha, depth, child_type);
        if score > best.score {
            best = Best::new(score, square);
            if score > alpha {
                return best;
            }
        }
        if picker.left() > 0 && splits_rest(thread, depth, node.empties()) && !thread.stopped() {
            return split(thread, node, alpha, depth, picker.remaining(), best).best;
        }
    }
    best
}

/// Splits all moves of an expected all node, without waiting for the first.
pub(crate) fn split_all_moves(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    depth: u32,
    moves: Squares,
    hash_move: Option<Square>,
) -> Best {
    let mut ordered = Vec::from_iter(hash_move);
    let others = hash_move.map_or(moves, |square| moves.without(square));
    ordered.extend(MovePicker::new(thread, node, others, alpha, depth).remaining());
    split(thread, node, alpha, depth, ordered, Best::NONE).best
}

/// Returns the best move of a search of the same depth at a lower selectivity.
#[cold]
fn iid_move(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    depth: u32,
    selectivity: Selectivity,
) -> Option<Square> {
    let previous = std::mem::replace(&mut thread.selectivity, selectivity);
    nws(thread, node, alpha, depth, NodeType::Cut);
    thread.selectivity = previous;
    thread.tt().probe(node.board).map(|entry| entry.mv)
}

/// Enhanced transposition cutoff: looks for a child whose TT entry refutes the node.
#[inline]
fn etc_cutoff(
    thread: &SearchThread<'_>,
    board: Board,
    moves: Squares,
    alpha: i32,
    depth: u32,
) -> Option<i32> {
    // All clusters are prefetched before the first is read: they come from main memory.
    let mut children = [Board::BARE; 64];
    let mut count = 0;
    for square in moves {
        let child = board.child(square);
        thread.tt().prefetch(child);
        children[count] = child;
        count += 1;
    }
    for &child in &children[..count] {
        if let Some(entry) = thread.tt().probe(child)
            && thread.tt_usable(entry, depth - 1)
            && -entry.upper() > alpha
        {
            return Some(-entry.upper());
        }
    }
    None
}

/// Multi-ProbCut: returns a bound if a shallow search shows that the deep one would very probably
/// fail on the same side.
fn probcut(thread: &mut SearchThread<'_>, node: &Node, alpha: i32, depth: u32) -> Option<i32> {
    if thread.probcut_nesting >= MAX_NESTING {
        return None;
    }
    let (evaluation, margins) = (thread.evaluation(), thread.margins());
    let selectivity = thread.selectivity;
    let test = ShallowTest::choose(evaluation, margins, selectivity, node, alpha, depth)?;
    thread.probcut_nesting += 1;
    let score = nws(thread, node, test.alpha, test.depth, test.node_type);
    thread.probcut_nesting -= 1;
    test.cutoff(score).filter(|_| !thread.stopped())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluation::Evaluation;
    use crate::eval::score::{SCORE_MAX, from_eval};
    use crate::search::pvs::pvs;
    use crate::testing::{random_position, search_with};

    /// Plain negamax over the same evaluation: no window, no table, no ordering.
    fn negamax(evaluation: &Evaluation, node: &Node, depth: u32) -> i32 {
        if node.board.is_over() {
            return DISC * node.board.final_score();
        }
        if depth == 0 {
            return from_eval(evaluation.evaluate(node));
        }
        let moves = node.board.moves();
        if moves.is_empty() {
            return -negamax(evaluation, &node.passed(), depth);
        }
        moves
            .map(|square| -negamax(evaluation, &node.child(square), depth - 1))
            .max()
            .expect("there is a move")
    }

    #[test]
    fn a_search_without_pruning_finds_the_negamax_score() {
        let evaluation = Evaluation::shipped();
        for seed in 0..24 {
            let depth = 1 + seed as u32 % 4;
            let node = Node::new(random_position(seed, 14 + seed as u32));
            let expected = negamax(&evaluation, &node, depth);
            let best = search_with(1, None, |thread| {
                pvs(thread, &node, -SCORE_MAX, SCORE_MAX, depth)
            });
            assert_eq!(best.score, expected, "{:?} at depth {depth}", node.board);
            assert!(best.mv.is_some());
            for alpha in [expected - 3, expected - 1, expected, expected + 3] {
                let bound = search_with(1, None, |thread| {
                    nws(thread, &node, alpha, depth, NodeType::Cut)
                });
                assert_eq!(
                    bound > alpha,
                    expected > alpha,
                    "{:?} at {alpha}",
                    node.board
                );
            }
        }
    }
}
