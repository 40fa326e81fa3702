//! Progress reports of long computations: decisions, proofs, counts, test suites.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use papan_rules::{Move, Player};

use crate::{Score, StopToken, available_mib};

/// Progress of a computation. Fields that do not apply are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How deep it is: plies looked ahead, moves from the start, or rounds.
    pub depth: u32,
    /// Nodes or positions visited.
    pub nodes: u64,
    /// The current score.
    pub score: Option<Score>,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// How much of the present step is done.
    pub part: Option<StepProgress>,
    /// The players whose win is still undecided.
    pub open: Vec<Player>,
}

/// How much of a step is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepProgress {
    /// The unit of the count.
    pub of: StepKind,
    /// How many are done.
    pub done: u64,
    /// How many there are.
    pub total: u64,
}

/// The unit of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The positions of one depth.
    Positions,
    /// The replies to a first move.
    Replies,
    /// The problems of a suite.
    Problems,
    /// The positions of a game or a book.
    Game,
    /// The games of a tournament.
    Games,
    /// The bytes of a certificate.
    Bytes,
}

/// A listener to [`Progress`].
pub type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// A handle on a long computation for another thread: it can be stopped, and its [`Progress`] read
/// at any time. Parallel workers add to it without locking.
#[derive(Debug, Default)]
pub struct Watch {
    /// Ends the work early.
    pub stop: StopToken,
    /// Mebibytes that the work may take, if not all that the machine has free.
    memory: Option<usize>,
    told: Mutex<Progress>,
    nodes: AtomicU64,
    done: AtomicU64,
}

/// Somebody asked the work to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Watch {
    /// Creates a handle with a memory limit in MiB.
    #[must_use]
    pub fn with_memory_limit(mebibytes: usize) -> Self {
        Self {
            memory: Some(mebibytes),
            ..Self::default()
        }
    }

    /// Returns the memory limit in MiB: the given one, at most the available memory.
    #[must_use]
    pub fn memory(&self) -> usize {
        let free = available_mib();
        self.memory.map_or(free, |given| given.min(free))
    }

    /// How far the work has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let mut progress = self.told().clone();
        progress.nodes = self.nodes.load(Ordering::Relaxed);
        if let Some(part) = &mut progress.part {
            part.done = self.done.load(Ordering::Relaxed);
        }
        progress
    }

    /// Replaces the current report.
    pub fn report(&self, progress: &Progress) {
        let done = progress.part.map_or(0, |part| part.done);
        let mut told = self.told();
        self.nodes.store(progress.nodes, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
        *told = progress.clone();
    }

    /// Begins a step, of which nothing is done yet.
    pub fn begin_step(&self, depth: usize, of: StepKind, total: u64) {
        let mut told = self.told();
        self.done.store(0, Ordering::Relaxed);
        told.depth = u32::try_from(depth).unwrap_or(u32::MAX);
        told.part = Some(StepProgress { of, done: 0, total });
    }

    /// Adds completed units of the step and nodes.
    pub fn advance(&self, done: u64, nodes: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Checks for a stop request.
    ///
    /// # Errors
    /// When a stop was requested.
    pub fn check_stop(&self) -> Result<(), Stopped> {
        if self.stop.is_stopped() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    fn told(&self) -> MutexGuard<'_, Progress> {
        // The last report is still valid after a worker panicked.
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_count_together_lose_nothing() {
        let watch = Watch::default();
        watch.begin_step(3, StepKind::Positions, 4_000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1_000).for_each(|_| watch.advance(1, 2)));
            }
        });
        let progress = watch.progress();
        let part = progress.part.unwrap();
        assert_eq!(
            (part.done, part.total, progress.nodes),
            (4_000, 4_000, 8_000)
        );
    }

    #[test]
    fn a_step_begins_with_nothing_done_and_keeps_the_nodes() {
        let watch = Watch::default();
        watch.begin_step(1, StepKind::Problems, 2);
        watch.advance(2, 10);
        watch.begin_step(2, StepKind::Problems, 5);
        let progress = watch.progress();
        assert_eq!((progress.depth, progress.nodes), (2, 10));
        assert_eq!(progress.part.unwrap().done, 0);
    }

    #[test]
    fn what_a_context_is_told_can_be_looked_at_from_outside() {
        let watch = Arc::new(Watch::default());
        let context = crate::Context::default().watched_by(&watch);
        let told = Progress {
            depth: 7,
            nodes: 100,
            open: vec![Player::Second],
            ..Progress::default()
        };
        context.report(&told);
        assert_eq!(watch.progress(), told);
        watch.stop.stop();
        assert!(context.is_over());
        assert_eq!(watch.check_stop(), Err(Stopped));
    }
}
