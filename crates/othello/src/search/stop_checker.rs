//! Limit checks: node counting, the clock, the stop token and cutoffs at split points.

use crate::parallel::split_point::SplitPoint;
use papan_strategies::{Budget, StopToken};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The clock is read at every eighth check; checks are less than a millisecond apart.
const CLOCK_INTERVAL: u32 = 8;

/// The limits of a search, shared by all threads.
pub(crate) struct SharedLimits<'a> {
    /// Set by the caller of the engine.
    stop: &'a StopToken,
    /// Set by the first thread that reaches a limit.
    reached: AtomicBool,
    /// Nodes of all threads; `u64::MAX` for no limit.
    node_limit: u64,
    budget: Budget,
    /// Nodes reported by the threads so far.
    nodes: AtomicU64,
}

impl<'a> SharedLimits<'a> {
    pub(crate) const fn new(stop: &'a StopToken, nodes: Option<u64>, budget: Budget) -> Self {
        Self {
            stop,
            reached: AtomicBool::new(false),
            node_limit: match nodes {
                Some(nodes) => nodes,
                None => u64::MAX,
            },
            budget,
            nodes: AtomicU64::new(0),
        }
    }

    pub(crate) const fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) const fn has_node_limit(&self) -> bool {
        self.node_limit < u64::MAX
    }

    /// Returns the nodes of all threads reported so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// Node counter and limit checks of one thread.
pub(crate) struct StopChecker<'a> {
    shared: &'a SharedLimits<'a>,
    nodes: u64,
    /// How many of `nodes` have been added to the shared counter.
    reported: Cell<u64>,
    /// Calls of [`stopped`](Self::stopped) until the clock is read again.
    until_clock: Cell<u32>,
    /// The innermost split point that this thread works under.
    split: Option<Arc<SplitPoint>>,
}

impl<'a> StopChecker<'a> {
    pub(crate) const fn new(shared: &'a SharedLimits<'a>) -> Self {
        Self {
            shared,
            nodes: 0,
            reported: Cell::new(0),
            until_clock: Cell::new(CLOCK_INTERVAL),
            split: None,
        }
    }

    #[inline(always)]
    pub(crate) const fn count_node(&mut self) {
        self.nodes += 1;
    }

    /// Returns the node counter, for code that counts many nodes.
    #[inline(always)]
    pub(crate) const fn nodes_mut(&mut self) -> &mut u64 {
        &mut self.nodes
    }

    /// Adds the nodes since the last report to the shared counter. Returns the nodes of all
    /// threads.
    pub(crate) fn report_nodes(&self) -> u64 {
        let new = self.nodes - self.reported.replace(self.nodes);
        self.shared.nodes.fetch_add(new, Ordering::Relaxed) + new
    }

    /// Returns whether the current search must end. Its result is then meaningless and must not be
    /// stored.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        let shared = self.shared;
        if shared.reached.load(Ordering::Relaxed) || shared.stop.is_stopped() {
            return true;
        }
        if shared.has_node_limit() && self.report_nodes() >= shared.node_limit {
            shared.reached.store(true, Ordering::Relaxed);
            return true;
        }
        if shared.budget.is_limited() {
            let left = self.until_clock.get();
            if left == 0 {
                self.until_clock.set(CLOCK_INTERVAL);
                if shared.budget.is_spent() {
                    shared.reached.store(true, Ordering::Relaxed);
                    return true;
                }
            } else {
                self.until_clock.set(left - 1);
            }
        }
        self.split.as_ref().is_some_and(|split| split.is_cut())
    }

    /// Returns the innermost split point that this thread works under.
    #[inline(always)]
    pub(crate) const fn split(&self) -> Option<&Arc<SplitPoint>> {
        self.split.as_ref()
    }

    /// Changes the split point that this thread works under; returns the previous one.
    pub(crate) const fn replace_split(
        &mut self,
        split: Option<Arc<SplitPoint>>,
    ) -> Option<Arc<SplitPoint>> {
        std::mem::replace(&mut self.split, split)
    }
}
