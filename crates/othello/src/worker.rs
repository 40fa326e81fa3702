//! One thread of the search: what it sees and what it counts.

use crate::crew::{Crew, Split};
use crate::near::NearTable;
use crate::stability::EdgeStability;
use crate::table::Table;
use crate::weights::Weights;
use papan_strategies::StopToken;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A searching thread.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a Table,
    pub(crate) weights: &'a Weights,
    pub(crate) edges: &'static EdgeStability,
    pub(crate) near: NearTable,
    /// Set by whichever thread reaches a limit.
    pub(crate) halt: &'a AtomicBool,
    /// Set from outside.
    pub(crate) stop: &'a StopToken,
    pub(crate) crew: &'a Crew,
    /// The innermost shared node that this thread works under.
    pub(crate) split: Option<Arc<Split>>,
    pub(crate) nodes: u64,
    /// The step of selectivity in force.
    pub(crate) selectivity: u8,
    /// How many ProbCut tests this node stands inside of.
    pub(crate) probing: u8,
    /// Nodes after which the search stops; `u64::MAX` for none.
    pub(crate) node_limit: u64,
    /// When the search stops.
    pub(crate) deadline: Option<Instant>,
    /// Calls of `stopped` until the clock is read again.
    until_clock: Cell<u32>,
}

/// How often the clock is read: one call stands for less than a millisecond.
const CLOCK_EVERY: u32 = 8;

impl<'a> Worker<'a> {
    pub(crate) fn new(
        table: &'a Table,
        weights: &'a Weights,
        halt: &'a AtomicBool,
        stop: &'a StopToken,
        crew: &'a Crew,
    ) -> Self {
        Self {
            table,
            weights,
            edges: crate::stability::edges(),
            near: NearTable::new(),
            halt,
            stop,
            crew,
            split: None,
            nodes: 0,
            selectivity: crate::selectivity::EXACT,
            probing: 0,
            node_limit: u64::MAX,
            deadline: None,
            until_clock: Cell::new(CLOCK_EVERY),
        }
    }

    /// Whether what this thread is searching is no longer wanted. Its result is then worthless
    /// and must not be stored.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        if self.halt.load(Ordering::Relaxed) || self.stop.is_stopped() {
            return true;
        }
        if self.nodes >= self.node_limit {
            self.halt.store(true, Ordering::Relaxed);
            return true;
        }
        if let Some(deadline) = self.deadline {
            let left = self.until_clock.get();
            if left == 0 {
                self.until_clock.set(CLOCK_EVERY);
                if Instant::now() >= deadline {
                    self.halt.store(true, Ordering::Relaxed);
                    return true;
                }
            } else {
                self.until_clock.set(left - 1);
            }
        }
        self.split.as_ref().is_some_and(|split| split.is_cut())
    }
}
