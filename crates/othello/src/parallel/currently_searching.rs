//! Table of moves that are currently being searched, the heart of Simplified ABDADA.
//!
//! Named after `currently_searching` in Kerrigan's description. Entries are keyed by the position
//! after the move and the depth. Races and collisions cost a little time at most: a move is
//! searched twice, or deferred without need.
//! See <http://tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/>.

use crate::board::Board;
use crate::tt::hash;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of slots.
const SLOTS: usize = 4096;

/// The moves that are currently being searched.
pub(crate) struct CurrentlySearching(Box<[AtomicU64; SLOTS]>);

/// Identifies a move by the position after it and the depth. Never 0, which marks a free slot.
#[derive(Clone, Copy)]
pub(crate) struct MoveKey(u64);

/// A mark in the table, removed by [`finish`](Self::finish).
#[derive(Clone, Copy)]
pub(crate) struct SearchMark<'a> {
    slot: &'a AtomicU64,
    key: MoveKey,
}

impl Default for CurrentlySearching {
    fn default() -> Self {
        Self(Box::new([const { AtomicU64::new(0) }; SLOTS]))
    }
}

impl MoveKey {
    #[inline(always)]
    pub(crate) fn new(child: Board, depth: u32) -> Self {
        Self(hash(child) ^ u64::from(depth) << 56 | 1 << 63)
    }
}

impl CurrentlySearching {
    /// Minimum depth at which moves are deferred.
    pub(crate) const MIN_DEFER_DEPTH: u32 = 5;

    #[inline(always)]
    fn slot(&self, key: MoveKey) -> &AtomicU64 {
        &self.0[key.0 as usize % SLOTS]
    }

    /// Marks a move as being searched.
    #[inline(always)]
    pub(crate) fn start_search(&self, key: MoveKey) -> SearchMark<'_> {
        let slot = self.slot(key);
        slot.store(key.0, Ordering::Relaxed);
        SearchMark { slot, key }
    }

    /// Returns whether another thread is searching the move.
    #[inline(always)]
    pub(crate) fn should_defer(&self, key: MoveKey) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key.0
    }
}

impl SearchMark<'_> {
    /// Removes the mark, unless another move has taken the slot.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if self.slot.load(Ordering::Relaxed) == self.key.0 {
            self.slot.store(0, Ordering::Relaxed);
        }
    }
}
