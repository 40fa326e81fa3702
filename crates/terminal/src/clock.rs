//! The players' clocks.

use std::time::Duration;

use papan_rules::Player;
use papan_strategies::TimeControl;

/// Both players' clocks. Time is told to it, never asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// What was agreed.
    pub control: TimeControl,
    left: [Duration; 2],
    running: Option<(Player, Duration)>,
}

impl Clocks {
    /// Both full, none running.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: [control.base; 2],
            running: None,
        }
    }

    /// With this much left to each player, none running.
    #[must_use]
    pub fn with_left(control: TimeControl, left: [Duration; 2]) -> Self {
        Self {
            left,
            ..Self::new(control)
        }
    }

    /// What a player has left.
    #[must_use]
    pub fn left(&self, player: Player, now: Duration) -> Duration {
        let used = match self.running {
            Some((runner, since)) if runner == player => now.saturating_sub(since),
            _ => Duration::ZERO,
        };
        self.left[player.index()].saturating_sub(used)
    }

    /// Lets this player's clock run, or none.
    pub fn run(&mut self, player: Option<Player>, now: Duration) {
        if self.running.map(|(runner, _)| runner) == player {
            return;
        }
        if let Some((runner, _)) = self.running {
            self.left[runner.index()] = self.left(runner, now);
        }
        self.running = player.map(|player| (player, now));
    }

    /// The player has moved.
    pub fn moved(&mut self, player: Player, now: Duration) {
        self.run(None, now);
        self.left[player.index()] += self.control.increment;
    }

    /// Whose time has run out.
    #[must_use]
    pub fn flag(&self, now: Duration) -> Option<Player> {
        let (runner, _) = self.running?;
        self.left(runner, now).is_zero().then_some(runner)
    }

    /// When the shown time next changes; `None` while no clock runs.
    #[must_use]
    pub fn next_tick(&self, now: Duration) -> Option<Duration> {
        let (runner, _) = self.running?;
        let left = self.left(runner, now);
        let step = if left < TENTHS_BELOW { 100 } else { 1000 };
        let into = left.as_millis() % step;
        let wait = if into == 0 { step } else { into };
        Some(now + Duration::from_millis(wait as u64).min(left))
    }
}

/// Below this, tenths of a second are shown.
const TENTHS_BELOW: Duration = Duration::from_secs(10);

/// A time as a clock shows it: `4:59`, and `9.3` at the end.
#[must_use]
pub(crate) fn face(left: Duration) -> String {
    if left < TENTHS_BELOW {
        return format!("{:.1}", left.as_millis().div_ceil(100) as f64 / 10.0);
    }
    let seconds = left.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_clock_runs_for_the_player_to_move_only() {
        let mut clocks = Clocks::new("60+2".parse().unwrap());
        clocks.run(Some(Player::First), seconds(0));
        assert_eq!(clocks.left(Player::First, seconds(10)), seconds(50));
        clocks.moved(Player::First, seconds(10));
        assert_eq!(clocks.left(Player::First, seconds(30)), seconds(52));
        clocks.run(Some(Player::Second), seconds(10));
        assert_eq!(clocks.flag(seconds(69)), None);
        assert_eq!(clocks.flag(seconds(70)), Some(Player::Second));
    }

    #[test]
    fn a_stopped_clock_never_ticks() {
        let mut clocks = Clocks::new("60".parse().unwrap());
        assert_eq!(clocks.next_tick(seconds(5)), None);
        clocks.run(Some(Player::First), seconds(5));
        assert_eq!(clocks.next_tick(seconds(5)), Some(seconds(6)));
    }

    #[test]
    fn the_face_shows_tenths_at_the_end() {
        assert_eq!(face(seconds(299)), "4:59");
        assert_eq!(face(Duration::from_millis(9_250)), "9.3");
    }
}
