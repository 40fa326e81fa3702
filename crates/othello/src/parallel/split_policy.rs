//! Split policy: which nodes are split for YBWC, and when before the first move.

use crate::search::worker::SearchThread;

/// Minimum depth of a split. With many threads there is enough work at greater depth, and small
/// splits would only add contention.
const MIN_SPLIT_DEPTH: u32 = 5;
const MIN_SPLIT_DEPTH_MANY_THREADS: u32 = 7;
const MIN_SPLIT_DEPTH_SOLVING: u32 = 14;

/// Minimum depth at which a node is split even if no thread is idle. Its owner may be busy with one
/// move for a long time; a thread that becomes idle meanwhile finds work at once.
const EAGER_SPLIT_DEPTH: u32 = 9;
const EAGER_SPLIT_DEPTH_SOLVING: u32 = 17;

/// Minimum depth at which an expected all node is split before its first move.
const MIN_SPLIT_ALL_DEPTH: u32 = 7;

/// Returns whether to split the moves that are left after the first.
#[inline(always)]
pub(crate) fn splits_rest(thread: &SearchThread<'_>, depth: u32, empties: u32) -> bool {
    is_large_enough(thread, depth, empties)
        && (has_waiting_threads(thread) || is_eager(thread, depth, empties))
}

/// Returns whether to split an expected all node before its first move. When solving, the first
/// move's entries in the transposition table are worth waiting for if only one thread is idle.
#[inline(always)]
pub(crate) fn splits_all(thread: &SearchThread<'_>, depth: u32, empties: u32) -> bool {
    let min_idle = if depth == empties { 2 } else { 1 };
    depth >= MIN_SPLIT_ALL_DEPTH
        && is_large_enough(thread, depth, empties)
        && (thread.pool().idle_threads() >= min_idle || is_eager(thread, depth, empties))
}

/// Returns whether some thread would take a move of a split below this thread's current one.
#[inline(always)]
fn has_waiting_threads(thread: &SearchThread<'_>) -> bool {
    thread.pool().idle_threads() > 0
        || thread
            .split()
            .is_some_and(|split| split.has_waiting_owner())
}

/// Returns whether a node has enough work for several threads.
#[inline(always)]
fn is_large_enough(thread: &SearchThread<'_>, depth: u32, empties: u32) -> bool {
    let min_depth = if depth == empties {
        MIN_SPLIT_DEPTH_SOLVING
    } else if thread.pool().uses_parallel_aspiration() {
        MIN_SPLIT_DEPTH_MANY_THREADS
    } else {
        MIN_SPLIT_DEPTH
    };
    !thread.is_in_abdada() && depth >= min_depth
}

/// Returns whether a node is split even if no thread is idle.
#[inline(always)]
fn is_eager(thread: &SearchThread<'_>, depth: u32, empties: u32) -> bool {
    let min_depth = if depth == empties {
        EAGER_SPLIT_DEPTH_SOLVING
    } else {
        EAGER_SPLIT_DEPTH
    };
    depth >= min_depth && thread.pool().concurrency() > 1
}
