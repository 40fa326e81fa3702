//! The time that a player was told of, and is judged by.

use std::time::Duration;

use papan_strategies::Limits;

/// What a player was told about its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncedTime {
    /// As long as it likes.
    Unlimited,
    /// So much for each move.
    Move(Duration),
    /// So much for so many moves together, over and over.
    Period {
        /// The time.
        time: Duration,
        /// For how many moves.
        moves: u32,
    },
    /// A clock that starts with at least so much.
    Clock(Duration),
}

impl AnnouncedTime {
    /// What limits say, word for word.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        match (limits.clock, limits.time) {
            (Some((left, _)), _) => Self::Clock(left),
            (None, Some(time)) => Self::Move(time),
            (None, None) => Self::Unlimited,
        }
    }
}
