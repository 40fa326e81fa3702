//! Time of live games: players are not charged while no server was up.

use std::time::Duration;

use papan_pages::clock_title::clock_title;
use papan_store::Run;
use papan_strategies::TimeControl;
use papan_view::Messages;

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

/// Creates a time control from the initial time and the increment, in milliseconds.
pub(crate) fn time_control((initial, increment): (u64, u64)) -> TimeControl {
    TimeControl {
        base: Duration::from_millis(initial),
        increment: Duration::from_millis(increment),
    }
}

/// Formats a time control, such as `5 min + 3 s`.
pub(crate) fn clock_name(words: Messages, clock: Option<(u64, u64)>) -> String {
    match clock {
        None => words.text("web-no-clock"),
        Some(clock) => clock_title(words, time_control(clock)),
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
        assert_eq!(uptime_between(400, 61_300, &runs), 600 + 300);
        assert_eq!(uptime_between(400, 500, &runs[..1]), 100);
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
