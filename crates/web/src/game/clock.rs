//! The two players' time.

use std::time::Duration;

use papan_rules::Player;
use papan_store::Run;
use papan_strategies::TimeControl;
use papan_view::Messages;

/// What is left of the two players' time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameClock {
    /// Milliseconds left, first and second.
    pub left: [u64; 2],
    /// Milliseconds that every move adds.
    pub increment: u64,
    /// When the turn began, in milliseconds since 1970.
    pub since: i64,
}

impl GameClock {
    /// A clock of so many milliseconds for each, and an increment.
    #[must_use]
    pub(crate) fn new((each, increment): (u64, u64), since: i64) -> Self {
        Self {
            left: [each; 2],
            increment,
            since,
        }
    }

    /// Takes what a move cost, adds the increment, and begins the next turn.
    pub(crate) fn charge(&mut self, player: Player, charged: u64, at: i64) {
        let left = &mut self.left[player.index()];
        *left = left.saturating_sub(charged) + self.increment;
        self.since = at;
    }

    /// What the present turn has cost so far, without the time when the server
    /// was down.
    #[must_use]
    pub(crate) fn running(&self, now: i64, runs: &[Run]) -> u64 {
        up_between(self.since, now, runs)
    }
}

/// How many of the milliseconds between two moments the server was up. The last
/// run lasts until now.
#[must_use]
pub(crate) fn up_between(from: i64, to: i64, runs: &[Run]) -> u64 {
    let last = runs.len().saturating_sub(1);
    let up: i64 = runs
        .iter()
        .enumerate()
        .map(|(index, run)| {
            let end = if index == last { to } else { run.alive_at };
            (end.min(to) - run.began_at.max(from)).max(0)
        })
        .sum();
    up as u64
}

/// A clock as it is written everywhere: `5m+3s`.
pub(crate) fn clock_name(words: Messages, clock: Option<(u64, u64)>) -> String {
    match clock {
        None => words.text("web-no-clock"),
        Some((each, increment)) => TimeControl {
            base: Duration::from_millis(each),
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
        assert_eq!(clock.running(61_300, &runs), 600 + 300);
        assert_eq!(clock.running(500, &runs[..1]), 100);
    }

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut clock = GameClock::new((10_000, 500), 0);
        clock.charge(Player::First, 3_000, 3_000);
        assert_eq!((clock.left, clock.since), ([7_500, 10_000], 3_000));
        clock.charge(Player::Second, 99_000, 9_000);
        assert_eq!(clock.left[1], 500);
    }
}
