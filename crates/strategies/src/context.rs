//! Context of a decision: limits, time budget, stop token, seed.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use papan_rules::{Game, Line, Move, WideProduct};

use crate::stable_hash::StableHasher;
use crate::{Budget, Clock, Limits, Listener, Progress, Watch};

/// Asks a running strategy to answer now, from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Asks for an answer now.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether a stop was requested.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns whether both are clones of one token.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Everything a strategy gets besides the line of play.
#[derive(Clone, Default)]
pub struct Context {
    /// How far it may go.
    limits: Limits,
    /// The time budget, started when the limits were set.
    budget: Budget,
    /// How to end it early.
    pub stop: StopToken,
    /// Seed of all randomness, together with position and ply.
    pub seed: u64,
    /// Which game of a series this is, so that a strategy with a seed of its own
    /// does not play the same game over and over.
    pub round: u64,
    /// Receiver of progress reports.
    pub listener: Option<Listener>,
}

impl Context {
    /// Without limits, random by this seed.
    #[must_use]
    pub fn with_seed(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Ended early by this token.
    #[must_use]
    pub fn stopped_by(mut self, stop: &StopToken) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Attaches a watcher, which receives progress and can stop the decision.
    #[must_use]
    pub fn watched_by(mut self, watch: &Arc<Watch>) -> Self {
        let told = Arc::clone(watch);
        self.listener = Some(Arc::new(move |progress| told.report(progress)));
        self.stopped_by(&watch.stop)
    }

    /// With limits: the time of the decision begins now.
    #[must_use]
    pub fn limited(mut self, limits: Limits, clock: &(impl Clock + Clone + 'static)) -> Self {
        self.begin(limits, clock);
        self
    }

    /// Begins the time of the next decision now, under these limits.
    pub fn begin(&mut self, limits: Limits, clock: &(impl Clock + Clone + 'static)) {
        self.limits = limits;
        self.budget = Budget::begin(&limits, clock);
    }

    /// Returns the same decision with a node limit for a part of it.
    #[must_use]
    pub fn with_nodes(&self, nodes: u64) -> Self {
        let mut part = self.clone();
        part.limits.nodes = Some(nodes);
        part
    }

    /// Returns the same decision with the first `parts` of `of` equal parts of its time.
    #[must_use]
    pub fn first(&self, parts: u32, of: u32) -> Self {
        Self {
            budget: self.budget.first(parts, of),
            ..self.clone()
        }
    }

    /// Returns the same decision with other limits in depth and nodes; its time continues.
    #[must_use]
    pub fn with_limits(&self, limits: Limits) -> Self {
        Self {
            limits,
            ..self.clone()
        }
    }

    /// How far the strategy may go.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time for the decision.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns whether to answer now: the budget is spent, or a stop was requested.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.budget.is_spent()
    }

    /// A random number, the same for the same seed, round, position and ply.
    /// `own_seed` takes the place of the context's.
    pub fn random<G: Game>(&self, own_seed: Option<u64>, line: &Line<G>) -> u64 {
        let series = (self.round << 16) ^ line.ply() as u64;
        let mut hasher = StableHasher::seeded(own_seed.unwrap_or(self.seed), series);
        line.position().hash(&mut hasher);
        hasher.finish()
    }

    /// Chooses a random move.
    ///
    /// # Panics
    /// When there are no moves.
    pub fn pick<G: Game>(&self, own_seed: Option<u64>, line: &Line<G>, moves: &[Move]) -> Move {
        moves[self.random_below(moves.len(), own_seed, line)]
    }

    /// A random place in a list of `count`; 0 when there is no choice.
    pub fn random_below<G: Game>(
        &self,
        count: usize,
        own_seed: Option<u64>,
        line: &Line<G>,
    ) -> usize {
        if count < 2 {
            return 0;
        }
        // Scaling by the high half avoids the bias and the cost of a division.
        WideProduct::new(self.random(own_seed, line), count as u64).high as usize
    }

    /// Tells the listener, if there is one.
    pub fn report(&self, progress: &Progress) {
        if let Some(listener) = &self.listener {
            listener(progress);
        }
    }
}
