//! The clock of one player of a tournament, as announced to that player.
//!
//! Not a [`papan_strategies::GameClock`]: the two players may have different limits, by move, period
//! or clock; engines are announced what their protocol can express ([`AnnouncedTime`]), and a move
//! is charged with the time that the referee measured, with a margin for the system.

use std::time::Duration;

use papan_protocol::AnnouncedTime;
use papan_strategies::Limits;

/// A player's time during a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayerClock {
    allowance: AnnouncedTime,
    /// Time for each move beside the clock.
    per_move: Option<Duration>,
    /// Time left on the clock or in the period.
    left: Duration,
    increment: Duration,
    /// Moves that the period still has.
    moves: u32,
}

impl PlayerClock {
    /// At the beginning of a game.
    pub(crate) fn new(limits: &Limits, allowance: AnnouncedTime) -> Self {
        let (left, moves) = match allowance {
            AnnouncedTime::Unlimited => (Duration::ZERO, 0),
            AnnouncedTime::Move(time) => (time, 1),
            AnnouncedTime::Period { time, moves } => (time, moves),
            AnnouncedTime::Clock(least) => {
                let clock = limits.clock.map_or(least, |(left, _)| left);
                (clock.max(least), 0)
            }
        };
        Self {
            allowance,
            per_move: limits.time.filter(|_| limits.clock.is_some()),
            left,
            increment: limits
                .clock
                .map_or(Duration::ZERO, |(_, increment)| increment),
            moves,
        }
    }

    /// How long the next move may take.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        match self.allowance {
            AnnouncedTime::Unlimited => None,
            _ => Some(self.per_move.map_or(self.left, |time| time.min(self.left))),
        }
    }

    /// Returns the time left on the clock and the increment.
    pub(crate) fn clock(&self) -> Option<(Duration, Duration)> {
        match self.allowance {
            AnnouncedTime::Clock(_) => Some((self.left, self.increment)),
            _ => None,
        }
    }

    /// Charges a move.
    pub(crate) fn spend(&mut self, taken: Duration) {
        match self.allowance {
            AnnouncedTime::Unlimited | AnnouncedTime::Move(_) => {}
            AnnouncedTime::Clock(_) => self.left = self.left.saturating_sub(taken) + self.increment,
            AnnouncedTime::Period { time, moves } => {
                self.left = self.left.saturating_sub(taken);
                self.moves = self.moves.saturating_sub(1);
                if self.moves == 0 {
                    (self.left, self.moves) = (time, moves);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_period_is_one_budget_for_its_moves() {
        let limits = Limits {
            time: Some(SECOND / 10),
            ..Limits::default()
        };
        let told = AnnouncedTime::Period {
            time: SECOND,
            moves: 3,
        };
        let mut time = PlayerClock::new(&limits, told);
        assert_eq!(time.allowed(), Some(SECOND));
        time.spend(SECOND / 2);
        assert_eq!(time.allowed(), Some(SECOND / 2));
        time.spend(SECOND / 4);
        time.spend(SECOND / 8);
        assert_eq!(time.allowed(), Some(SECOND), "the next period");
    }

    #[test]
    fn a_clock_gains_its_increment_and_never_starts_below_what_was_said() {
        let limits = Limits {
            clock: Some((SECOND / 2, SECOND / 10)),
            ..Limits::default()
        };
        let mut time = PlayerClock::new(&limits, AnnouncedTime::Clock(SECOND));
        assert_eq!(time.clock(), Some((SECOND, SECOND / 10)));
        time.spend(SECOND / 2);
        assert_eq!(time.allowed(), Some(SECOND * 6 / 10));
        time.spend(SECOND * 2);
        assert_eq!(time.allowed(), Some(SECOND / 10));
    }

    #[test]
    fn each_move_has_its_own_time() {
        let limits = Limits {
            time: Some(SECOND),
            ..Limits::default()
        };
        let mut time = PlayerClock::new(&limits, AnnouncedTime::of(&limits));
        time.spend(SECOND * 5);
        assert_eq!(time.allowed(), Some(SECOND));
        assert_eq!(time.clock(), None);
        let free = Limits::default();
        assert_eq!(
            PlayerClock::new(&free, AnnouncedTime::of(&free)).allowed(),
            None
        );
    }
}
