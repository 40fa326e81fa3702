//! Clock face: remaining time as the board shows it, and when it changes next.

use std::time::Duration;

use papan_strategies::GameClock;

/// Returns when the shown time changes next; `None` while no clock runs.
#[must_use]
pub(crate) fn next_tick(clock: &GameClock, now: Duration) -> Option<Duration> {
    let left = clock.left(clock.running()?, now);
    let step = if left < TENTHS_BELOW { 100 } else { 1000 };
    let into = left.as_millis() % step;
    let wait = if into == 0 { step } else { into };
    Some(now + Duration::from_millis(wait as u64).min(left))
}

/// Below this, tenths of a second are shown.
const TENTHS_BELOW: Duration = Duration::from_secs(10);

/// Formats a remaining time: `4:59`, and `9.3` in the last seconds.
#[must_use]
pub(crate) fn face(left: Duration) -> String {
    if left < TENTHS_BELOW {
        return format!("{:.1}", left.as_millis().div_ceil(100) as f64 / 10.0);
    }
    papan_view::clock_face(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Player;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_stopped_clock_never_ticks() {
        let mut clock = GameClock::new("60".parse().unwrap());
        assert_eq!(next_tick(&clock, seconds(5)), None);
        clock.start(Player::First, seconds(5));
        assert_eq!(next_tick(&clock, seconds(5)), Some(seconds(6)));
    }

    #[test]
    fn the_last_seconds_show_tenths() {
        assert_eq!(face(seconds(299)), "4:59");
        assert_eq!(face(Duration::from_millis(9_250)), "9.3");
    }
}
