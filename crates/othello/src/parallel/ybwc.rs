//! Young Brothers Wait Concept (YBWC; Feldmann, Monien, Mysliwietz and Vornberger 1989).
//!
//! The first move of a node is searched alone. If it does not cut, the remaining moves ("young
//! brothers") become a split point that idle threads may join. Used when solving, where subtrees
//! are large. Depth-limited trees are too thin for it and use [`abdada`](super::abdada) or
//! [`aspiration`](super::aspiration). [`split_policy`](super::split_policy) decides which nodes are
//! split.
//!
//! See <https://www.chessprogramming.org/Young_Brothers_Wait_Concept>.

use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::parallel::split_point::{SplitPoint, SplitWork};
use crate::search::best::Best;
use crate::search::worker::SearchThread;
use std::sync::Arc;

/// The result of a split.
pub(crate) struct SplitResult {
    pub(crate) best: Best,
    /// Moves that did not exceed alpha.
    pub(crate) refuted: Squares,
}

/// Joins split points until the search is over.
pub(super) fn idle_loop(thread: &mut SearchThread<'_>) {
    let pool = thread.pool();
    while let Some(split) = pool.wait_for_work() {
        thread.join(&split);
        thread.report_nodes();
    }
}

/// Splits a null-window node: searches the remaining `moves` together with idle threads. `best` is
/// the best move so far.
pub(crate) fn split(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    depth: u32,
    moves: Vec<Square>,
    best: Best,
) -> SplitResult {
    let split = thread.open_split(node, alpha, depth, SplitWork::Moves(moves), best);
    thread.pool().publish(&split);
    thread.run_split(&split);
    wait_for_helpers(thread, &split);
    SplitResult {
        best: *split.best(),
        refuted: split.refuted(),
    }
}

/// Withdraws a split point of this thread and waits for its helpers, helping below it meanwhile.
pub(super) fn wait_for_helpers(thread: &mut SearchThread<'_>, split: &Arc<SplitPoint>) {
    let pool = thread.pool();
    pool.withdraw(split);
    while let Some(below) = pool.wait_for_work_below(split) {
        thread.join(&below);
    }
    thread.close_split(split);
}
