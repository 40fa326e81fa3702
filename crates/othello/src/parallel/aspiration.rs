//! Parallel aspiration search: null-window searches at different bounds until they bracket the score.
//!
//! A PVS with many threads has little to share while it goes down its principal variation. Its
//! result, however, is just two bounds. Searches of single bounds can start at once, each with a
//! null window and split points of its own ([`ybwc`](super::ybwc)), and all read each other's
//! results in the transposition table. Where they meet, the score is known to the disc, with a move
//! that achieves it. The idea is Baudet's parallel aspiration (1978) with null windows, or MTD(f)
//! (Plaat et al. 1996) with several tests at a time. Used from eight threads on.

use crate::eval::node::Node;
use crate::parallel::score_bracket::ScoreBracket;
use crate::parallel::split_point::{SharedBracket, SplitPoint, SplitWork};
use crate::parallel::ybwc::wait_for_helpers;
use crate::search::best::Best;
use crate::search::node_type::NodeType;
use crate::search::nws::{nws_moves, split_all_moves};
use crate::search::worker::SearchThread;
use std::sync::{Arc, Mutex, MutexGuard};

fn lock(bracket: &SharedBracket) -> MutexGuard<'_, ScoreBracket<Arc<SplitPoint>>> {
    let bracket = bracket.lock();
    bracket.expect("no thread panics while it holds the bracket")
}

/// Searches a node that has moves with null windows around the `expected` score. Returns a score
/// that is correct to the disc and not above the true one, with a move that achieves it; `None` when
/// the search was stopped or selective searches contradict each other.
pub(crate) fn search_bracket(
    thread: &mut SearchThread<'_>,
    node: &Node,
    expected: i32,
    depth: u32,
) -> Option<Best> {
    let work = SplitWork::Bounds(Mutex::new(ScoreBracket::new(expected)));
    let split = thread.open_split(node, expected, depth, work, Best::NONE);
    let SplitWork::Bounds(bracket) = split.work() else {
        unreachable!("the split point was just made with this work")
    };
    // The owner takes its place before any helper can.
    split.take_next();
    thread.pool().publish(&split);
    search_bounds(thread, &split, bracket);
    wait_for_helpers(thread, &split);
    lock(bracket).result()
}

/// Runs null-window searches of the split point's node until the bracket is closed.
pub(super) fn search_bounds(
    thread: &mut SearchThread<'_>,
    split: &Arc<SplitPoint>,
    shared: &SharedBracket,
) {
    let params = split.params();
    let (node, depth) = (&params.node, params.depth);
    while !thread.stopped() {
        let mut bracket = lock(shared);
        let Some(alpha) = bracket.next_bound() else {
            return;
        };
        // A split point of its own, so that another result can cut this search.
        let own = thread.open_split(node, alpha, depth, SplitWork::Owner, Best::NONE);
        bracket.add_running(alpha, own.clone());
        let node_type = if alpha < bracket.expected() {
            NodeType::Cut
        } else {
            NodeType::All
        };
        drop(bracket);
        let found = search_bound(thread, node, alpha, depth, node_type);
        let was_stopped = thread.stopped();
        thread.close_split(&own);
        let mut bracket = lock(shared);
        bracket.remove_running(|running| Arc::ptr_eq(running, &own));
        if !was_stopped {
            bracket.narrow(alpha, found, |running| running.cut());
        }
    }
}

/// Searches the root with a null window, without pruning at the root itself.
fn search_bound(
    thread: &mut SearchThread<'_>,
    node: &Node,
    alpha: i32,
    depth: u32,
    node_type: NodeType,
) -> Best {
    let entry = thread.tt().probe(node.board);
    let moves = node.board.moves();
    let hash_move = entry.map(|entry| entry.mv).filter(|&mv| moves.contains(mv));
    if let Some(score) = entry.and_then(|entry| thread.tt_cutoff(entry, alpha, depth)) {
        return Best {
            score,
            mv: hash_move,
        };
    }
    let best = match node_type {
        NodeType::Cut => nws_moves(thread, node, alpha, depth, node_type, moves, hash_move),
        NodeType::All => split_all_moves(thread, node, alpha, depth, moves, hash_move),
    };
    if !thread.stopped() {
        thread.tt_store(node.board, alpha, alpha + 1, best, depth);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::score::{DISC, SCORE_MAX, to_discs};
    use crate::search::pvs::pvs;
    use crate::testing::{random_position, search_with};

    fn search(node: &Node, expected: i32, depth: u32, nodes: Option<u64>) -> Option<Best> {
        search_with(8, nodes, |thread| {
            search_bracket(thread, node, expected, depth)
        })
    }

    #[test]
    fn the_score_is_found_for_any_expected_score_without_pruning() {
        for seed in 0..12 {
            let node = Node::new(random_position(seed, 20));
            let score = search_with(1, None, |thread| {
                pvs(thread, &node, -SCORE_MAX, SCORE_MAX, 7).score
            });
            let expected = score + DISC * (seed as i32 % 7 - 3);
            let found = search(&node, expected, 7, None).expect("nothing stopped it");
            assert!(found.score <= score, "{:?}", node.board);
            assert_eq!(to_discs(found.score), to_discs(score), "{:?}", node.board);
            let child = node.child(found.mv.expect("there are moves"));
            let after = search_with(1, None, |thread| {
                pvs(thread, &child, -SCORE_MAX, SCORE_MAX, 6).score
            });
            assert!(found.score <= -after, "{:?}", node.board);
        }
    }

    #[test]
    fn a_node_limit_ends_all_searches() {
        let node = Node::new(random_position(1, 40));
        assert_eq!(search(&node, 0, 14, Some(50_000)), None);
    }
}
