//! Parallel search: three schemes over one thread pool and one transposition table.
//!
//! | file | scheme |
//! |---|---|
//! | [`ybwc`] | Young Brothers Wait Concept: the moves of a node are shared |
//! | [`abdada`] | Simplified ABDADA: every thread searches the whole tree |
//! | [`aspiration`] | parallel aspiration: null-window searches at different bounds |
//!
//! `search/mod.rs` has the table of which one is used when. The files [`split_point`],
//! [`thread_pool`], [`currently_searching`] and [`score_bracket`] are data structures that know
//! nothing of the search. The recursion "search → split → search" is broken by a function pointer:
//! a [`SearchThread`] carries [`run_split`] and calls it for the work of a split point.

pub(crate) mod abdada;
pub(crate) mod aspiration;
pub(crate) mod currently_searching;
pub(crate) mod score_bracket;
pub(crate) mod split_point;
pub(crate) mod split_policy;
pub(crate) mod thread_pool;
pub(crate) mod ybwc;

use crate::board::square::Square;
use crate::search::best::Best;
use crate::search::node_type::NodeType;
use crate::search::nws::nws_child;
use crate::search::shared::SharedState;
use crate::search::worker::SearchThread;
use score_bracket::CONCURRENT_WINDOWS;
use split_point::{SplitPoint, SplitWork};
use std::sync::Arc;

/// Runs `main` on this thread, with `threads - 1` helpers in their idle loops.
pub(crate) fn run<T>(
    shared: &SharedState<'_>,
    threads: usize,
    main: impl FnOnce(&mut SearchThread<'_>) -> T,
) -> T {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| ybwc::idle_loop(&mut SearchThread::new(shared, run_split)));
        }
        let mut thread = SearchThread::new(shared, run_split);
        let result = main(&mut thread);
        thread.report_nodes();
        shared.pool().stop();
        result
    })
}

/// Searches a part of a split point's work.
fn run_split(thread: &mut SearchThread<'_>, split: &Arc<SplitPoint>) {
    match split.work() {
        SplitWork::Moves(moves) => search_moves(thread, split, moves),
        SplitWork::Tree { beta, .. } => abdada::search_tree(thread, split, *beta),
        SplitWork::Bounds(bracket) => {
            if split.take_next() < CONCURRENT_WINDOWS {
                aspiration::search_bounds(thread, split, bracket);
            }
        }
        SplitWork::Owner => {}
    }
}

/// Searches moves of a YBWC split point until none is left or one cuts.
fn search_moves(thread: &mut SearchThread<'_>, split: &SplitPoint, moves: &[Square]) {
    let params = split.params();
    loop {
        let at = split.take_next();
        if at >= moves.len() || thread.stopped() {
            return;
        }
        let square = moves[at];
        let node = &params.node;
        let score = nws_child(
            thread,
            node,
            square,
            params.alpha,
            params.depth,
            NodeType::Cut,
        );
        if thread.stopped() {
            return;
        }
        let mut best = split.best();
        if score > best.score {
            *best = Best::new(score, square);
        }
        if score > params.alpha {
            split.cut();
            return;
        }
        split.add_refuted(square);
    }
}
