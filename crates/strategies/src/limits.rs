//! How far a strategy may go for one move.

use std::time::Duration;

/// How far a strategy may go for one move. Without a limit it takes what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left for the rest of the game, and what every move adds to it once it
    /// has been made.
    pub clock: Option<(Duration, Duration)>,
}
