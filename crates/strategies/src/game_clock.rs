//! Game clock (chess clock) with Fischer increments, or a time per move of days.
//!
//! The clock never reads the time: every method takes `now`, so it can be tested without waiting,
//! run on a server's wall clock and be replayed from a record.

use std::time::Duration;

use papan_rules::Player;

use crate::TimeControl;

/// Remaining time of both players. At most one side runs.
///
/// ```
/// use std::time::Duration;
/// use papan_rules::Player;
/// use papan_strategies::GameClock;
///
/// let seconds = Duration::from_secs;
/// let mut clock = GameClock::new("60s+2s".parse()?);
/// clock.start(Player::First, seconds(0));
/// clock.press(Player::First, seconds(10));
/// assert_eq!(clock.left(Player::First, seconds(30)), seconds(52));
/// # Ok::<(), papan_strategies::TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    left: [Duration; 2],
    running: Option<Running>,
}

/// The side that runs, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    player: Player,
    since: Duration,
}

impl GameClock {
    /// Creates a clock with the full time on both sides, stopped.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self::with_left(control, [control.base; 2])
    }

    /// Creates a stopped clock with the given time on each side.
    #[must_use]
    pub const fn with_left(control: TimeControl, left: [Duration; 2]) -> Self {
        Self {
            control,
            left,
            running: None,
        }
    }

    /// Returns the time control.
    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns the player whose side runs.
    #[must_use]
    pub fn running(&self) -> Option<Player> {
        self.running.map(|running| running.player)
    }

    /// Returns the time that a player has left.
    #[must_use]
    pub fn left(&self, player: Player, now: Duration) -> Duration {
        let used = match self.running {
            Some(running) if running.player == player => now.saturating_sub(running.since),
            _ => Duration::ZERO,
        };
        self.left[player.index()].saturating_sub(used)
    }

    /// Returns a player's time and increment in the form of [`Limits::clock`](crate::Limits).
    #[must_use]
    pub fn limits(&self, player: Player, now: Duration) -> (Duration, Duration) {
        (self.left(player, now), self.control.increment)
    }

    /// Starts a player's side and stops the other one. A side that already runs keeps running.
    pub fn start(&mut self, player: Player, now: Duration) {
        if self.running() != Some(player) {
            self.stop(now);
            self.running = Some(Running { player, since: now });
        }
    }

    /// Exchanges the times of the players, who exchanged seats, and stops both sides.
    pub fn exchange(&mut self, now: Duration) {
        self.stop(now);
        self.left.swap(0, 1);
    }

    /// Stops both sides.
    pub fn stop(&mut self, now: Duration) {
        if let Some(player) = self.running() {
            self.left[player.index()] = self.left(player, now);
            self.running = None;
        }
    }

    /// Stops the clock after a move and adds the increment to the mover's time. A time
    /// per move begins anew.
    pub fn press(&mut self, mover: Player, now: Duration) {
        self.stop(now);
        self.left[mover.index()] = if self.control.is_per_move() {
            self.control.base
        } else {
            self.left[mover.index()] + self.control.increment
        };
    }

    /// Subtracts time that the caller measured itself, for example without the time during which
    /// a server was down.
    pub fn charge(&mut self, player: Player, used: Duration) {
        let left = &mut self.left[player.index()];
        *left = left.saturating_sub(used);
    }

    /// Returns the player whose running side has reached zero.
    #[must_use]
    pub fn flagged(&self, now: Duration) -> Option<Player> {
        self.running()
            .filter(|&player| self.left(player, now).is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn clock(control: &str) -> GameClock {
        GameClock::new(control.parse().unwrap())
    }

    #[test]
    fn a_time_per_move_begins_anew_and_does_not_accumulate() {
        let day = 24 * 3600;
        let mut clock = clock("3d+3d");
        for _ in 0..2 {
            clock.start(First, seconds(0));
            clock.press(First, seconds(day));
            assert_eq!(clock.left(First, seconds(day)), seconds(3 * day));
        }
    }

    #[test]
    fn only_the_running_side_loses_time() {
        let mut clock = clock("60s+2s");
        clock.start(First, seconds(0));
        assert_eq!(clock.left(First, seconds(10)), seconds(50));
        assert_eq!(clock.left(Second, seconds(10)), seconds(60));
        clock.press(First, seconds(10));
        assert_eq!(clock.limits(First, seconds(30)), (seconds(52), seconds(2)));
        clock.start(Second, seconds(10));
        assert_eq!(clock.flagged(seconds(69)), None);
        assert_eq!(clock.flagged(seconds(70)), Some(Second));
    }

    #[test]
    fn starting_a_running_side_again_does_not_reset_it() {
        let mut clock = clock("60s");
        clock.start(First, seconds(0));
        clock.start(First, seconds(20));
        assert_eq!(clock.left(First, seconds(30)), seconds(30));
        clock.start(Second, seconds(30));
        assert_eq!(clock.left(First, seconds(99)), seconds(30));
        assert_eq!(clock.left(Second, seconds(40)), seconds(50));
    }

    #[test]
    fn a_stopped_clock_neither_runs_nor_flags() {
        let mut clock = clock("10s");
        clock.start(First, seconds(0));
        clock.stop(seconds(4));
        clock.stop(seconds(9));
        assert_eq!(clock.left(First, seconds(99)), seconds(6));
        assert_eq!((clock.flagged(seconds(99)), clock.running()), (None, None));
    }

    #[test]
    fn time_never_becomes_negative() {
        let mut clock = clock("10s+1s");
        clock.charge(First, seconds(99));
        assert_eq!(clock.left(First, seconds(0)), Duration::ZERO);
        clock.start(First, seconds(5));
        assert_eq!(clock.flagged(seconds(5)), Some(First));
        // A clock that is set back does not give time away.
        assert_eq!(clock.left(First, seconds(0)), Duration::ZERO);
        clock.press(First, seconds(7));
        assert_eq!(clock.left(First, seconds(7)), seconds(1));
    }
}
