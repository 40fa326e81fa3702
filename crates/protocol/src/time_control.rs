//! The time control announced to a player.
//!
//! Protocols differ in the time controls that they can express (GTP: whole seconds per
//! period of moves). A player is judged by the announced time, not by the
//! tournament's limits.

use std::time::Duration;

use papan_strategies::Limits;

/// The time control announced to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncedTime {
    /// No time limit.
    Unlimited,
    /// A limit for each move.
    Move(Duration),
    /// A limit for a number of moves together, repeated (Canadian byo-yomi).
    Period {
        /// Time per period.
        time: Duration,
        /// Moves per period.
        moves: u32,
    },
    /// A game clock with at least this initial time.
    Clock(Duration),
}

impl AnnouncedTime {
    /// The time control of limits that the protocol can express exactly.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        match (limits.clock, limits.time) {
            (Some((left, _)), _) => Self::Clock(left),
            (None, Some(time)) => Self::Move(time),
            (None, None) => Self::Unlimited,
        }
    }
}
