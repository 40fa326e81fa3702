//! What a strategy is told beside the position: limits, a stop token, a seed.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use papan_rules::{Game, Line, Move};

use crate::Score;

/// How far a strategy may go for one move. Without a limit it takes what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left for the rest of the game, and what every move adds to it.
    pub clock: Option<(Duration, Duration)>,
}

/// Asks a running strategy to answer now, from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Asks for an answer now.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a strategy is thinking, told while it thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Plies it has looked ahead.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// What it believes.
    pub score: Option<Score>,
    /// How it expects play to go on.
    pub pv: Vec<Move>,
}

/// Whoever listens to [`Progress`].
pub type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// What a strategy is told beside the line of play.
#[derive(Clone, Default)]
pub struct Context {
    /// How far it may go.
    pub limits: Limits,
    /// How to end it early.
    pub stop: StopToken,
    /// What every draw of lots depends on, together with position and ply.
    pub seed: u64,
    /// Which game of a series this is, so that a strategy with a seed of its own
    /// does not play the same game over and over.
    pub round: u64,
    /// Who wants to hear what it thinks.
    pub listener: Option<Listener>,
}

impl Context {
    /// Without limits, drawing lots by this seed.
    #[must_use]
    pub fn with_seed(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// A number drawn by lot, the same for the same seed, round, position and ply.
    /// `own_seed` takes the place of the context's.
    pub fn lot<G: Game>(&self, own_seed: Option<u64>, line: &Line<G>) -> u64 {
        let series = (self.round << 16) ^ line.ply() as u64;
        let mut hasher = LotHasher::seeded(own_seed.unwrap_or(self.seed), series);
        line.position().hash(&mut hasher);
        hasher.finish()
    }

    /// One of the moves, by lot.
    ///
    /// # Panics
    /// When there is none.
    pub fn draw<G: Game>(&self, own_seed: Option<u64>, line: &Line<G>, moves: &[Move]) -> Move {
        moves[self.lot_below(moves.len(), own_seed, line)]
    }

    /// A place in a list of `count`, by lot; 0 when there is nothing to draw.
    pub fn lot_below<G: Game>(&self, count: usize, own_seed: Option<u64>, line: &Line<G>) -> usize {
        if count < 2 {
            return 0;
        }
        // Scaling by the high half avoids the bias and the cost of a division.
        let lot = u128::from(self.lot(own_seed, line));
        ((lot * count as u128) >> 64) as usize
    }

    /// Tells the listener, if there is one.
    pub fn tell(&self, progress: &Progress) {
        if let Some(listener) = &self.listener {
            listener(progress);
        }
    }
}

/// Counts nodes against a context's limits.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Nodes until the next look at the clock.
    countdown: u64,
    /// Nodes counted when the countdown will have ended.
    target: u64,
    most_nodes: u64,
    deadline: Option<Instant>,
    stop: StopToken,
    stride: u64,
    over: bool,
}

impl Pace {
    /// Nodes between two looks at the clock: below a millisecond at any speed.
    const STRIDE: u64 = 1024;

    /// Starts the clock for one move.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        Self::with_stride(context, Self::STRIDE)
    }

    /// Starts the clock for nodes that take longer: it is looked at every `stride`.
    #[must_use]
    pub fn with_stride(context: &Context, stride: u64) -> Self {
        let limits = &context.limits;
        let from_clock = limits
            .clock
            .map(|(left, increment)| left / 20 + increment / 2);
        let time = match (limits.time, from_clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let most_nodes = limits.nodes.unwrap_or(u64::MAX).max(1);
        let first = stride.min(most_nodes);
        Self {
            countdown: first,
            target: first,
            most_nodes,
            deadline: time.map(|time| Instant::now() + time),
            stop: context.stop.clone(),
            stride,
            over: false,
        }
    }

    /// Counts one node; `false` when it is time to answer.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.countdown -= 1;
        if self.countdown == 0 {
            self.look_up();
        }
        !self.over
    }

    /// Nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.target - self.countdown
    }

    /// Whether it is time to answer.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    #[cold]
    fn look_up(&mut self) {
        self.over |= self.target >= self.most_nodes
            || self.stop.is_stopped()
            || self.deadline.is_some_and(|end| Instant::now() >= end);
        // Past the limit, nodes are still counted while the search winds up.
        let left = self.most_nodes.saturating_sub(self.target);
        self.countdown = if left == 0 {
            self.stride
        } else {
            self.stride.min(left)
        };
        self.target += self.countdown;
    }
}

/// A hash that is the same on every machine and in every version of Rust, unlike
/// the standard library's: games must replay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LotHasher(u64);

impl Default for LotHasher {
    fn default() -> Self {
        Self::seeded(0, 0)
    }
}

/// Both halves of a product, mixed: a multiplication that forgets nothing.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product ^ (product >> 64)) as u64
}

impl LotHasher {
    /// Starts from two numbers; the constants keep zeros from leaving zero.
    #[inline]
    fn seeded(a: u64, b: u64) -> Self {
        Self(fold(a ^ 0x243f_6a88_85a3_08d3, b ^ 0x1319_8a2e_0370_7344))
    }
}

impl Hasher for LotHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, 0x9e37_79b9_7f4a_7c15);
    }
    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        // Hash tables look at the high bits and the low ones; mix them once more.
        fold(self.0, 0xd6e8_feb8_6659_fd93)
    }
}
