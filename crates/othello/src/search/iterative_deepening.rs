//! Iterative deepening with aspiration windows: the driver of a search.
//!
//! See <https://www.chessprogramming.org/Iterative_Deepening> and
//! <https://www.chessprogramming.org/Aspiration_Windows>.

use crate::board::Board;
use crate::eval::node::Node;
use crate::eval::score::{DISC, SCORE_MAX, to_discs};
use crate::parallel::abdada::parallel_pvs;
use crate::parallel::aspiration::search_bracket;
use crate::search::best::Best;
use crate::search::limits::SearchLimits;
use crate::search::pv::{pv_from_tt, solved_pv};
use crate::search::pvs::pvs;
use crate::search::result::{RootMove, SearchResult};
use crate::search::schedule::{Iteration, schedule};
use crate::search::selectivity::Selectivity;
use crate::search::time_management::IterationHistory;
use crate::search::worker::{RootIteration, SearchThread};
use std::cmp::Reverse;

/// Iterations up to this depth always run: they take too little time to be worth saving.
const MAX_FREE_DEPTH: u32 = 6;

/// Searches iteration by iteration until a limit is reached or the position is solved.
pub(crate) fn iterative_deepening(
    thread: &mut SearchThread<'_>,
    board: Board,
    limits: &SearchLimits,
    progress: &mut impl FnMut(&SearchResult),
) -> SearchResult {
    let node = Node::new(board);
    let mut result = static_result(thread, &node, limits.every_move);
    if board.is_over() {
        result.exact = true;
        result.score = board.final_score();
        return result;
    }
    let mut history = IterationHistory::new(board.moves().len());
    let parallel_aspiration = thread.pool().uses_parallel_aspiration();
    let iterations = schedule(
        board.empties(),
        limits.depth,
        limits.confidence,
        parallel_aspiration,
    );
    for iteration in iterations {
        let fraction = history.time_fraction();
        let budget = thread.limits().budget();
        if thread.stopped()
            || iteration.depth > MAX_FREE_DEPTH
                && budget.is_past(fraction.numerator, fraction.denominator)
        {
            break;
        }
        thread.selectivity = iteration.selectivity;
        let finished = if limits.every_move && !board.moves().is_empty() {
            search_every_move(thread, &node, iteration, &result)
        } else {
            let center = history.aspiration_center(iteration.depth);
            search_best_move(thread, &node, iteration, center)
        };
        let Some(mut finished) = finished else {
            if let Some(better) = partial_iteration(thread, board, &result) {
                result.score = better.score;
                result.best = Some(better.square);
                result.pv.clone_from(&better.pv);
                result.moves = vec![better];
                progress(&result);
            }
            break;
        };
        finished.nodes = thread.report_nodes();
        result = finished;
        history.add(&result);
        progress(&result);
    }
    if result.exact && !limits.every_move {
        complete_pv(thread, board, &mut result);
    }
    result.nodes = thread.report_nodes();
    result
}

/// Extends the principal variation of a solved position to the end of the game.
fn complete_pv(thread: &mut SearchThread<'_>, board: Board, result: &mut SearchResult) {
    let pv = solved_pv(thread, board, result.score);
    if pv.len() > result.pv.len() {
        result.best = pv.first().copied().filter(|_| !board.moves().is_empty());
        result.pv = pv;
        if let (Some(first), Some(best)) = (result.moves.first_mut(), result.best) {
            (first.square, first.pv) = (best, result.pv.clone());
        }
    }
}

/// Returns the best move of an interrupted iteration if it differs from the last result's. With a
/// node limit only complete iterations count: the strength of the levels was measured that way.
fn partial_iteration(
    thread: &SearchThread<'_>,
    board: Board,
    result: &SearchResult,
) -> Option<RootMove> {
    let best = thread.root.best()?;
    let square = best.mv?;
    if thread.limits().has_node_limit() || result.best == Some(square) {
        return None;
    }
    let mut pv = vec![square];
    pv.extend(pv_from_tt(thread.tt(), board.child(square)));
    let score = to_discs(best.score);
    Some(RootMove { square, score, pv })
}

/// Returns the result before the first iteration, from the static evaluation.
fn static_result(thread: &SearchThread<'_>, node: &Node, every_move: bool) -> SearchResult {
    let mut moves: Vec<RootMove> = node
        .board
        .moves()
        .map(|square| RootMove {
            square,
            score: -thread.evaluate(&node.child(square)),
            pv: vec![square],
        })
        .collect();
    moves.sort_by_key(|mv| Reverse(mv.score));
    if !every_move {
        moves.truncate(1);
    }
    let score = moves
        .first()
        .map_or_else(|| thread.evaluate(node), |mv| mv.score);
    let iteration = Iteration {
        depth: 0,
        selectivity: Selectivity::Low,
    };
    search_result(iteration, score, moves, false)
}

/// Runs one iteration for the best move; `None` when it was stopped.
fn search_best_move(
    thread: &mut SearchThread<'_>,
    node: &Node,
    iteration: Iteration,
    center: Option<i32>,
) -> Option<SearchResult> {
    let empties = node.empties();
    thread.root = RootIteration::new(node.board, iteration.depth.min(empties));
    let best = search_with_aspiration(thread, node, iteration, center);
    if thread.stopped() {
        return None;
    }
    let mut pv = pv_from_tt(thread.tt(), node.board);
    if best.mv.is_some() && pv.first() != best.mv.as_ref() {
        pv = best.mv.into_iter().collect();
    }
    let moves = best.mv.iter().map(|&square| RootMove {
        square,
        score: best.score,
        pv: pv.clone(),
    });
    let exact = iteration.depth >= empties && iteration.selectivity == Selectivity::Exact;
    let mut result = search_result(iteration, best.score, moves.collect(), exact);
    result.pv = pv;
    Some(result)
}

/// Searches with a narrow window around the expected score `center`, in discs, and widens it after
/// a failure. Chooses the parallel scheme; see the table in [`search`](super).
fn search_with_aspiration(
    thread: &mut SearchThread<'_>,
    node: &Node,
    iteration: Iteration,
    center: Option<i32>,
) -> Best {
    let depth = iteration.depth;
    let Some(center) = center else {
        return pvs(thread, node, -SCORE_MAX, SCORE_MAX, depth);
    };
    let solving = depth >= node.empties();
    let proving = solving && iteration.selectivity == Selectivity::Exact;
    // Final scores are even: a window between two odd bounds holds exactly one of them.
    let mut width = DISC * if solving { 1 } else { 2 };
    let center = DISC * if solving { center & !1 } else { center };
    let lower_bound = |score: i32, width: i32| (score - width).max(-SCORE_MAX);
    let upper_bound = |score: i32, width: i32| (score + width).min(SCORE_MAX);
    let (mut alpha, mut beta) = (lower_bound(center, width), upper_bound(center, width));
    // At high confidence the tree is wide enough for split points.
    let has_wide_tree = iteration.selectivity == Selectivity::High;
    if has_wide_tree
        && !solving
        && !node.board.moves().is_empty()
        && thread.pool().uses_parallel_aspiration()
        && let Some(best) = search_bracket(thread, node, center, depth)
    {
        return best;
    }
    loop {
        let best = if solving || has_wide_tree {
            pvs(thread, node, alpha, beta, depth)
        } else {
            parallel_pvs(thread, node, alpha, beta, depth)
        };
        if thread.stopped() {
            return best;
        }
        let score = best.score;
        width *= 2;
        if score <= alpha && alpha > -SCORE_MAX {
            // Selective searches may contradict each other; then the window only grows.
            if proving {
                beta = score + DISC;
            }
            alpha = lower_bound(score, width);
        } else if score >= beta && beta < SCORE_MAX {
            if proving {
                alpha = score - DISC;
            }
            beta = upper_bound(score, width);
        } else {
            return best;
        }
    }
}

/// Runs one iteration that scores every legal move; `None` when it was stopped.
fn search_every_move(
    thread: &mut SearchThread<'_>,
    node: &Node,
    iteration: Iteration,
    last: &SearchResult,
) -> Option<SearchResult> {
    let depth = iteration.depth.min(node.empties());
    let child_iteration = Iteration {
        depth: depth - 1,
        ..iteration
    };
    let mut moves = Vec::new();
    for known in &last.moves {
        let square = known.square;
        let child = node.child(square);
        let center = (last.depth > 0).then_some(-known.score);
        let best = search_with_aspiration(thread, &child, child_iteration, center);
        if thread.stopped() {
            return None;
        }
        let mut pv = vec![square];
        pv.extend(pv_from_tt(thread.tt(), child.board));
        moves.push(RootMove {
            square,
            score: -best.score,
            pv,
        });
    }
    moves.sort_by_key(|mv| Reverse(mv.score));
    let exact = depth >= node.empties() && iteration.selectivity == Selectivity::Exact;
    let finished = Iteration { depth, ..iteration };
    Some(search_result(finished, moves[0].score, moves, exact))
}

/// Builds a result, converting scores to discs.
fn search_result(
    iteration: Iteration,
    score: i32,
    mut moves: Vec<RootMove>,
    exact: bool,
) -> SearchResult {
    for mv in &mut moves {
        mv.score = to_discs(mv.score);
    }
    SearchResult {
        score: to_discs(score),
        best: moves.first().map(|mv| mv.square),
        pv: moves.first().map(|mv| mv.pv.clone()).unwrap_or_default(),
        nodes: 0,
        depth: iteration.depth,
        confidence: iteration.selectivity.confidence(),
        exact,
        moves,
    }
}
