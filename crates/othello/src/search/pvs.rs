//! Principal variation search (PVS; Marsland and Campbell 1982): nodes with an open window.
//!
//! The first move is searched with the whole window. The others are first tested with a null window
//! ([`nws`](super::nws)) and searched again only if they are better.
//! See <https://www.chessprogramming.org/Principal_Variation_Search>.

use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::eval::score::DISC;
use crate::parallel::split_policy::splits_rest;
use crate::parallel::ybwc::split;
use crate::search::best::Best;
use crate::search::move_picker::MovePicker;
use crate::search::node_type::NodeType;
use crate::search::nws::nws_child;
use crate::search::selectivity::Selectivity;
use crate::search::worker::SearchThread;

/// Minimum depth for internal iterative deepening.
const IID_MIN_DEPTH: u32 = 6;

/// In a selective search, how much better than the best so far a move must be. Proving smaller
/// differences costs time that is better spent on depth.
const MIN_IMPROVEMENT: i32 = DISC / 2;

/// Returns the score within the window, or a bound outside it, and the best move.
pub(crate) fn pvs(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    beta: i32,
    depth: u32,
) -> Best {
    let board = node.board;
    let empties = board.empties();
    let depth = depth.min(empties);
    thread.count_node();
    // Step 1. Horizon.
    if depth == 0 {
        return Best::without_move(if empties == 0 {
            DISC * board.final_score()
        } else {
            thread.evaluate(node)
        });
    }
    if thread.stopped() {
        return Best::without_move(alpha);
    }
    // Step 2. Pass, or the end of the game.
    let mut moves = board.moves();
    if moves.is_empty() {
        if board.passed().moves().is_empty() {
            return Best::without_move(DISC * board.final_score());
        }
        let best = pvs(thread, &node.passed(), -beta, -alpha, depth);
        return Best::without_move(-best.score);
    }
    // Step 3. Transposition table.
    let mut hash_move = None;
    if let Some(entry) = thread.tt().probe(board)
        && moves.contains(entry.mv)
    {
        hash_move = Some(entry.mv);
        let (lower, upper) = (entry.lower(), entry.upper());
        if thread.tt_usable(entry, depth) && (lower >= beta || upper <= alpha || lower == upper) {
            let score = if upper <= alpha { upper } else { lower };
            return Best::new(score, entry.mv);
        }
    }
    // Step 4. Internal iterative deepening.
    if hash_move.is_none() && depth >= IID_MIN_DEPTH {
        let iid_depth = if depth == empties {
            (depth - 4).min(10)
        } else {
            depth - 3
        };
        hash_move = pvs(thread, node, alpha, beta, iid_depth).mv;
    }
    // Step 5. The hash move with the whole window.
    let mut best = Best::NONE;
    if let Some(square) = hash_move {
        let score = pvs_child(thread, node, square, alpha, beta, depth);
        best = Best::new(score, square);
        update_root_best(thread, node, depth, alpha, best);
        moves = moves.without(square);
    }
    // Step 6. The other moves, mostly with null windows.
    if best.score < beta && !moves.is_empty() {
        best = pvs_moves(thread, node, alpha, beta, depth, moves, best);
    }
    if thread.stopped() {
        return best;
    }
    // Step 7. Store the result.
    thread.tt_store(board, alpha, beta, best, depth);
    best
}

fn pvs_child(
    thread: &mut SearchThread<'_>,
    node: &Node,
    square: Square,
    alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    -pvs(thread, &node.child(square), -beta, -alpha, depth - 1).score
}

/// Records a completely searched root move that beats `bar`, so that it can be played even if the
/// iteration is not finished.
fn update_root_best(thread: &mut SearchThread<'_>, node: &Node, depth: u32, bar: i32, best: Best) {
    if thread.root.is_root(node, depth) && best.score > bar && !thread.stopped() {
        thread.root.set_best(best);
    }
}

fn pvs_moves(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    beta: i32,
    depth: u32,
    moves: Squares,
    mut best: Best,
) -> Best {
    let min_improvement = if thread.selectivity == Selectivity::Exact {
        1
    } else {
        MIN_IMPROVEMENT
    };
    let mut picker = MovePicker::new(thread, node, moves, alpha, depth);
    while picker.left() > 0 && !thread.stopped() {
        let bar = alpha.max(best.score);
        // The bound of the null-window search that a better move exceeds.
        let test = (bar + min_improvement).min(beta) - 1;
        let found = if best.mv.is_none() {
            let square = picker.next().expect("a move is left");
            let score = pvs_child(thread, node, square, alpha, beta, depth);
            Best::new(score, square)
        } else if picker.left() > 1 && splits_rest(thread, depth, node.empties()) {
            let result = split(thread, node, test, depth, picker.remaining(), best);
            picker.retain(!result.refuted);
            let Some(square) = result.best.mv else {
                continue;
            };
            update_root_best(thread, node, depth, test, result.best);
            let score = result.best.score;
            if score <= test || thread.stopped() {
                Best::new(score.min(bar), square)
            } else {
                picker.retain(Squares(!square.bit()));
                if score < beta {
                    Best::new(pvs_child(thread, node, square, bar, beta, depth), square)
                } else {
                    result.best
                }
            }
        } else {
            let square = picker.next().expect("a move is left");
            if picker.defer_if_searched(thread, node, square, depth) {
                continue;
            }
            let score = nws_child(thread, node, square, test, depth, NodeType::Cut);
            update_root_best(thread, node, depth, test, Best::new(score, square));
            let score = if score <= test {
                score.min(bar)
            } else if score < beta {
                pvs_child(thread, node, square, bar, beta, depth)
            } else {
                score
            };
            Best::new(score, square)
        };
        if found.score > best.score {
            best = found;
        }
        if best.score >= beta {
            break;
        }
    }
    best
}
