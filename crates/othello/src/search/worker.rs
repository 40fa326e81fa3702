//! One thread of the search: what it sees and what it counts.

use crate::board::Board;
use crate::board::square::Square;
use crate::endgame::cache::NearTable;
use crate::parallel::ybwc::Split;
use crate::search::shared::Search;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A searching thread. What it shares with the others is reached as if it were its own.
pub(crate) struct Searcher<'a> {
    search: &'a Search<'a>,
    pub(crate) near: NearTable,
    /// The innermost shared node that this thread works under.
    pub(crate) split: Option<Arc<Split>>,
    pub(crate) nodes: u64,
    /// How many of its nodes the others know of.
    reported: Cell<u64>,
    /// The step of selectivity in force.
    pub(crate) selectivity: u8,
    /// How many ProbCut tests this node stands inside of.
    pub(crate) probing: u8,
    /// Whether other threads search the same tree, see [`crate::parallel::abdada`].
    pub(crate) together: bool,
    /// The position that the search is about, and the plies of its step: no other node has both.
    pub(crate) root: (Board, u32),
    /// The move that leads in the step of the deepening that is under way, once one does.
    pub(crate) leading: Option<(Square, i32)>,
    /// Calls of `stopped` until the clock is read again.
    until_clock: Cell<u32>,
}

/// How often the clock is read: one call stands for less than a millisecond.
const CLOCK_EVERY: u32 = 8;

impl<'a> Searcher<'a> {
    pub(crate) fn new(search: &'a Search<'a>) -> Self {
        Self {
            search,
            near: NearTable::new(),
            split: None,
            nodes: 0,
            reported: Cell::new(0),
            selectivity: crate::search::probcut::EXACT,
            probing: 0,
            together: false,
            root: (Board::BARE, 0),
            leading: None,
            until_clock: Cell::new(CLOCK_EVERY),
        }
    }

    /// The search that this thread takes part in.
    pub(crate) const fn search(&self) -> &'a Search<'a> {
        self.search
    }

    /// Tells the others of the nodes visited since the last time; returns those of all threads.
    pub(crate) fn report_nodes(&self) -> u64 {
        self.search
            .report(self.nodes - self.reported.replace(self.nodes))
    }

    /// Whether what this thread is searching is no longer wanted. Its result is then worthless
    /// and must not be stored.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        if self.halt.load(Ordering::Relaxed) || self.stop.is_stopped() {
            return true;
        }
        if self.node_limit < u64::MAX && self.report_nodes() >= self.node_limit {
            self.halt.store(true, Ordering::Relaxed);
            return true;
        }
        if self.budget.is_limited() {
            let left = self.until_clock.get();
            if left == 0 {
                self.until_clock.set(CLOCK_EVERY);
                if self.budget.is_spent() {
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

impl<'a> Deref for Searcher<'a> {
    type Target = Search<'a>;

    fn deref(&self) -> &Search<'a> {
        self.search
    }
}
