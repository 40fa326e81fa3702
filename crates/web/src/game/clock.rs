//! Chess clock with increment, not charged while no server was up.

use std::time::Duration;

use papan_rules::Player;
use papan_store::Run;
use papan_strategies::TimeControl;
use papan_view::Messages;

/// Remaining time of both players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameClock {
    /// Milliseconds left, first and second.
    pub(crate) left: [u64; 2],
    /// Milliseconds added by every move.
    pub(crate) increment: u64,
    /// Start of the current turn, in Unix milliseconds.
    pub(crate) since: i64,
}

impl GameClock {
    /// Creates a clock from the initial time and the increment, in milliseconds.
    #[must_use]
    pub(crate) fn new((initial, increment): (u64, u64), since: i64) -> Self {
        Self {
            left: [initial; 2],
            increment,
            since,
        }
    }

    /// Charges a move, adds the increment and starts the next turn.
    pub(crate) fn charge(&mut self, player: Player, charged: u64, at: i64) {
        let left = &mut self.left[player.index()];
        *left = left.saturating_sub(charged) + self.increment;
        self.since = at;
    }

    /// Returns the milliseconds used in the current turn, without downtime.
    #[must_use]
    pub(crate) fn elapsed(&self, now: i64, uptime: &[Run]) -> u64 {
        uptime_between(self.since, now, uptime)
    }
}

/// Returns the milliseconds between two times during which a server was up. The last run
/// lasts until now.
#[must_use]
pub(crate) fn uptime_between(from: i64, to: i64, uptime: &[Run]) -> u64 {
    let last = uptime.len().saturating_sub(1);
    let total: i64 = uptime
        .iter()
        .enumerate()
        .map(|(index, run)| {
            let end = if index == last { to } else { run.alive_at };
            (end.min(to) - run.began_at.max(from)).max(0)
        })
        .sum();
    total as u64
}

/// Merges the runs of several servers into disjoint intervals that end with the present run.
///
/// A run whose last heartbeat is at most `alive_within` milliseconds before the present run
/// began belongs to a server that is still up, so it leaves no gap.
pub(crate) fn merge_runs(mut runs: Vec<Run>, own: Run, alive_within: i64) -> Vec<Run> {
    runs.retain(|run| run.began_at < own.began_at);
    runs.sort_by_key(|run| run.began_at);
    let mut merged: Vec<Run> = Vec::new();
    for mut run in runs {
        if run.alive_at + alive_within >= own.began_at {
            run.alive_at = own.began_at;
        }
        match merged.last_mut() {
            Some(last) if run.began_at <= last.alive_at => {
                last.alive_at = last.alive_at.max(run.alive_at);
            }
            _ => merged.push(run),
        }
    }
    merged.push(own);
    merged
}

/// Formats a time control, such as `5m+3s`.
pub(crate) fn clock_name(words: Messages, clock: Option<(u64, u64)>) -> String {
    match clock {
        None => words.text("web-no-clock"),
        Some((initial, increment)) => TimeControl {
            base: Duration::from_millis(initial),
            increment: Duration::from_millis(increment),
        }
        .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(began_at: i64, alive_at: i64) -> Run {
        Run { began_at, alive_at }
    }

    #[test]
    fn the_time_between_two_runs_is_not_charged() {
        let runs = [run(0, 1_000), run(61_000, 61_000)];
        let clock = GameClock::new((10_000, 500), 400);
        assert_eq!(clock.elapsed(61_300, &runs), 600 + 300);
        assert_eq!(clock.elapsed(500, &runs[..1]), 100);
    }

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut clock = GameClock::new((10_000, 500), 0);
        clock.charge(Player::First, 3_000, 3_000);
        assert_eq!((clock.left, clock.since), ([7_500, 10_000], 3_000));
        clock.charge(Player::Second, 99_000, 9_000);
        assert_eq!(clock.left[1], 500);
    }

    #[test]
    fn overlapping_runs_count_once_and_live_servers_leave_no_gap() {
        let own = run(200_000, 200_000);
        let runs = vec![
            run(0, 40_000),
            run(30_000, 60_000),
            own,
            run(100_000, 195_000),
            run(120_000, 130_000),
        ];
        let merged = merge_runs(runs, own, 10_000);
        let expected = [run(0, 60_000), run(100_000, 200_000), own];
        assert_eq!(merged, expected);
        assert_eq!(uptime_between(0, 210_000, &merged), 60_000 + 110_000);
    }
}
