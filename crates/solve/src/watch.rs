//! Long work, watched from another thread.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use papan_strategies::StopToken;

use crate::ProveError;

/// Tells a running proof to stop, and tells others how far it has come.
#[derive(Debug, Default)]
pub struct Watch {
    /// Ends the work early.
    pub stop: StopToken,
    positions: AtomicU64,
    ply: AtomicUsize,
    done: AtomicU64,
    total: AtomicU64,
}

/// How far a proof has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HowFar {
    /// Positions looked into so far.
    pub positions: u64,
    /// How many moves deep the work is now.
    pub ply: usize,
    /// Positions of this depth that are finished.
    pub done: u64,
    /// All positions of this depth.
    pub total: u64,
}

impl Watch {
    /// How far the work has come.
    #[must_use]
    pub fn how_far(&self) -> HowFar {
        HowFar {
            positions: self.positions.load(Ordering::Relaxed),
            ply: self.ply.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn begin_level(&self, ply: usize, total: u64) {
        self.ply.store(ply, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Counts finished nodes of this level, and positions looked into for them.
    pub(crate) fn advance(&self, nodes: u64, positions: u64) {
        self.done.fetch_add(nodes, Ordering::Relaxed);
        self.positions.fetch_add(positions, Ordering::Relaxed);
    }

    pub(crate) fn go_on(&self) -> Result<(), ProveError> {
        if self.stop.is_stopped() {
            Err(ProveError::Stopped)
        } else {
            Ok(())
        }
    }
}
