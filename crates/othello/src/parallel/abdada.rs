//! Simplified ABDADA (Kerrigan 2017): parallel midgame search over a shared transposition table.
//!
//! Every thread searches the whole tree from the root. Before each move but the first it checks the
//! table of moves that are [currently being searched](super::currently_searching) and defers those
//! to the end, by which time the result is usually in the transposition table. Every second helper
//! first searches depth + 2 (as in lazy SMP). The first thread to finish the iteration wins.
//!
//! At a limited depth the tree is too thin for [`ybwc`](super::ybwc): nodes wait for their first
//! move and for ProbCut, iterations wait for each other, and most helpers would idle.
//!
//! Reference: <http://tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/>, after Weill 1996,
//! *The ABDADA distributed minimax search algorithm*.

use crate::eval::node::Node;
use crate::parallel::split_point::{SplitPoint, SplitWork};
use crate::search::best::Best;
use crate::search::pvs::pvs;
use crate::search::worker::SearchThread;

/// Minimum depth of a parallel iteration.
const MIN_PARALLEL_DEPTH: u32 = 8;

/// Searches a node with all threads, or alone where that is not worthwhile. Same result as
/// [`pvs`].
pub(crate) fn parallel_pvs(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    beta: i32,
    depth: u32,
) -> Best {
    let pool = thread.pool();
    // More threads than cores would only repeat the same work.
    let threads = pool.concurrency();
    if threads < 2 || depth < MIN_PARALLEL_DEPTH {
        return pvs(thread, node, alpha, beta, depth);
    }
    let work = SplitWork::Tree { beta, threads };
    let split = thread.open_split(node, alpha, depth, work, Best::NONE);
    let place = split.take_next();
    pool.publish(&split);
    search_from(thread, &split, beta, place);
    pool.withdraw(&split);
    thread.close_split(&split);
    *split.best()
}

/// Searches the tree of a split point as one of its helpers.
pub(super) fn search_tree(thread: &mut SearchThread<'_>, split: &SplitPoint, beta: i32) {
    search_from(thread, split, beta, split.take_next());
}

/// Searches the tree as the thread with number `place`; the owner has number 0.
fn search_from(thread: &mut SearchThread<'_>, split: &SplitPoint, beta: i32, place: usize) {
    let params = split.params();
    let (node, alpha, depth) = (&params.node, params.alpha, params.depth);
    let found = thread.with_deferral(|thread| {
        // Deeper entries also serve this iteration, and the threads diverge.
        if place > 0 && place.is_multiple_of(2) && depth + 2 < node.empties() {
            pvs(thread, node, alpha, beta, depth + 2);
        }
        pvs(thread, node, alpha, beta, depth)
    });
    let mut best = split.best();
    // Stopped also means that another thread has finished and cut the split point.
    if !thread.stopped() {
        *best = found;
        split.cut();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::eval::score::SCORE_MAX;
    use crate::parallel::currently_searching::{CurrentlySearching, MoveKey};
    use crate::search::move_picker::MovePicker;
    use crate::testing::{random_position, search_with};

    #[test]
    fn several_threads_find_the_score_that_one_finds_without_pruning() {
        for seed in 0..12 {
            // This close to the end no helper searches ahead, where deeper entries would answer.
            let node = Node::new(random_position(seed, MIN_PARALLEL_DEPTH + 2));
            let found = [1, 3].map(|threads| {
                search_with(threads, None, |thread| {
                    parallel_pvs(thread, &node, -SCORE_MAX, SCORE_MAX, MIN_PARALLEL_DEPTH).score
                })
            });
            assert_eq!(found[0], found[1], "{:?}", node.board);
        }
    }

    #[test]
    fn a_move_that_another_thread_searches_is_deferred_behind_all_others() {
        const DEPTH: u32 = CurrentlySearching::MIN_DEFER_DEPTH;
        search_with(2, None, |thread| {
            let other = thread.pool().currently_searching().expect("two threads");
            thread.with_deferral(|thread| {
                let node = Node::new(Board::START);
                let mut picker = MovePicker::new(thread, &node, node.board.moves(), 0, DEPTH);
                let first = picker.next().expect("there are four moves");
                let mark = other.start_search(MoveKey::new(node.board.child(first), DEPTH));
                assert!(picker.defer_if_searched(thread, &node, first, DEPTH));
                for _ in 1..node.board.moves().len() {
                    let square = picker.next().expect("a move is left");
                    assert!(square != first);
                    assert!(!picker.defer_if_searched(thread, &node, square, DEPTH));
                }
                assert_eq!(picker.next(), Some(first));
                assert!(!picker.defer_if_searched(thread, &node, first, DEPTH));
                mark.finish();
                assert!(thread.currently_searching(DEPTH - 1).is_none());
            });
        });
    }
}
