//! When a search ends.

use std::time::{Duration, Instant};

/// What a search may use. Without any limit it goes on until the position is solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies; a depth of all empty squares solves the position.
    pub depth: Option<u32>,
    /// Positions visited. On one thread the same limit gives the same answer every time.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time for all own moves until the end of the game.
    pub game_time: Option<Duration>,
    /// What each move adds to the game's time.
    pub increment: Duration,
    /// Whether every legal move gets a score of its own.
    pub every_move: bool,
    /// Whether only win, draw or loss is asked for where the position is solved.
    pub outcome_only: bool,
}

impl Limits {
    /// The time for this move: given, or a share of the game's.
    fn budget(&self, empties: u32) -> Option<Duration> {
        let share = self.game_time.map(|left| {
            // Half the empty squares are ours, and solving ends the thinking early.
            let moves = (empties.saturating_sub(12) / 2).clamp(2, 30);
            let reserve = left.mul_f32(0.03) + Duration::from_millis(10);
            left.saturating_sub(reserve) / moves + self.increment.mul_f32(0.8).min(left / 2)
        });
        match (self.time, share) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// When the search must have stopped.
    pub(crate) fn deadline(&self, start: Instant, empties: u32) -> Option<Instant> {
        self.budget(empties).map(|budget| start + budget)
    }

    /// Whether a further iteration would only be cut off. Only a share of the game's time may
    /// be saved for later; time for the move is there to be used.
    pub(crate) fn should_not_start(&self, start: Instant, empties: u32) -> bool {
        match (self.time, self.budget(empties)) {
            (None, Some(budget)) => start.elapsed() > budget.mul_f32(0.6),
            _ => false,
        }
    }
}
