//! Time budget of one decision, started once by the caller.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::{Clock, Limits};

/// The time for one decision.
///
/// It runs from its start, whichever code checks it: a strategy that searches twice spends one
/// budget. A move's own time may be used up; of the time left for a game, a move gets a share, and
/// a reserve is never touched.
#[derive(Clone, Default)]
pub struct Budget(Option<Running>);

#[derive(Clone)]
struct Running {
    clock: Arc<dyn Clock>,
    /// Start time.
    began: Duration,
    /// Total duration, derived from the fields below.
    lasts: Duration,
    /// The move's own time.
    time: Option<Duration>,
    /// Time left for the game, and the increment per move.
    game: Option<(Duration, Duration)>,
    /// The own moves that a game's time is shared among.
    moves: u32,
    /// Fraction of the budget: numerator and denominator.
    part: (u32, u32),
    /// The share of a game's time that this move should take, where there is one.
    share: Option<Duration>,
}

/// Default number of moves among which a game's time is divided.
const DEFAULT_MOVES: u32 = 20;

impl Budget {
    /// Begins it now. Without a limit in time it never ends, and the clock is not
    /// looked at.
    #[must_use]
    pub fn begin(limits: &Limits, clock: &(impl Clock + Clone + 'static)) -> Self {
        if limits.time.is_none() && limits.clock.is_none() {
            return Self::default();
        }
        let mut running = Running {
            began: clock.now(),
            clock: Arc::new(clock.clone()),
            lasts: Duration::ZERO,
            time: limits.time,
            game: limits.clock,
            moves: DEFAULT_MOVES,
            part: (1, 1),
            share: None,
        };
        running.settle();
        Self(Some(running))
    }

    /// Returns the same budget with a game's time divided among this many own moves.
    #[must_use]
    pub fn among(mut self, moves: u32) -> Self {
        if let Some(running) = &mut self.0 {
            running.moves = moves.max(1);
            running.settle();
        }
        self
    }

    /// Returns the first `parts` of `of` equal parts of this budget, with the same start.
    #[must_use]
    pub fn first(&self, parts: u32, of: u32) -> Self {
        let mut first = self.clone();
        if let Some(running) = &mut first.0 {
            running.part = (parts.min(of), of.max(1));
            running.settle();
        }
        first
    }

    /// Returns the same budget for an engine with its own time management ([`Budget::is_past`]): it
    /// ends after `times` the share of a game's time, and within the time left. A move's own time
    /// does not change.
    #[must_use]
    pub fn stretched(mut self, times: u32) -> Self {
        if let Some(running) = &mut self.0
            && running.time.is_none()
        {
            let usable = running.usable();
            let stretched = running.lasts.saturating_mul(times).min(usable / 3);
            running.lasts = running.lasts.max(stretched);
        }
        self
    }

    /// Whether it ends at all.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the time used; `None` without a limit.
    #[must_use]
    pub fn elapsed(&self) -> Option<Duration> {
        self.0.as_ref().map(Running::elapsed)
    }

    /// How long it lasts from its beginning; `None` where it is not limited.
    #[must_use]
    pub fn lasts(&self) -> Option<Duration> {
        self.0.as_ref().map(|running| running.lasts)
    }

    /// Returns the game clock at the start, if there is one.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let running = self.0.as_ref();
        running.and_then(|running| running.game.map(|(left, _)| left))
    }

    /// Whether it is time to answer.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        let running = self.0.as_ref();
        running.is_some_and(|running| running.elapsed() >= running.lasts)
    }

    /// Returns whether more than the given fraction of the move's share of a game's time is used.
    /// Always false without a game clock, because only its time can be saved.
    #[must_use]
    pub fn is_past(&self, parts: u32, of: u32) -> bool {
        let running = self.0.as_ref();
        running.is_some_and(|running| match running.share {
            Some(share) if running.time.is_none() => running.elapsed() > share / of * parts,
            _ => false,
        })
    }
}

impl Running {
    fn settle(&mut self) {
        let share = self.game.map(|(_, increment)| {
            let usable = self.usable();
            let share = usable / self.moves;
            share.saturating_add(increment / 5 * 4).min(usable)
        });
        let (parts, of) = self.part;
        let part = |whole: Duration| whole / of * parts;
        let whole = self.time.into_iter().chain(share).min();
        self.share = share.map(part);
        self.lasts = part(whole.unwrap_or(Duration::MAX));
    }

    /// Returns the time left for the game, less the reserve.
    fn usable(&self) -> Duration {
        let left = self.game.map_or(Duration::ZERO, |(left, _)| left);
        left.saturating_sub(reserve(left))
    }

    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.began)
    }
}

/// Returns the reserve on a game's clock for the delivery of the move.
fn reserve(left: Duration) -> Duration {
    (left / 32).saturating_add(Duration::from_millis(10))
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Budget").field(&self.lasts()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ManualClock;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn game(left: u64, increment: u64) -> Limits {
        Limits {
            clock: Some((ms(left), ms(increment))),
            ..Limits::default()
        }
    }

    #[test]
    fn a_moves_time_runs_from_its_beginning_and_is_used_whole() {
        let clock = ManualClock::default();
        clock.advance(ms(77));
        let limits = Limits {
            time: Some(ms(100)),
            ..Limits::default()
        };
        let budget = Budget::begin(&limits, &clock);
        clock.advance(ms(99));
        assert!(!budget.is_spent() && !budget.is_past(0, 1));
        assert_eq!(budget.elapsed(), Some(ms(99)));
        // Whoever holds a copy, or takes a part, spends the same time.
        assert!(budget.first(1, 2).is_spent() && budget.first(1, 2).among(1).is_spent());
        let copy = budget.clone();
        clock.advance(ms(1));
        assert!(budget.is_spent() && copy.is_spent());
    }

    #[test]
    fn a_game_clock_is_never_spent_whole_whatever_the_increment() {
        for left in [0, 1, 5, 50, 300, 1_000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 5_000, 600_000] {
                for moves in [0, 1, 2, 20, 200] {
                    let budget = Budget::begin(&game(left, increment), &ManualClock::default());
                    let lasts = budget.among(moves).lasts().expect("limited");
                    let reserve = ms(left).min(ms(10));
                    assert!(
                        lasts <= ms(left) - reserve,
                        "{left}+{increment}/{moves}: {lasts:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_whole_game_is_played_within_its_time() {
        // Every move takes all that it may, two milliseconds more, and there are many.
        for (start, increment) in [(60_000, 0), (1_000, 0), (10_000, 100), (500, 50)] {
            let mut left = ms(start);
            for ply in 0..200 {
                let limits = game(left.as_millis() as u64, increment);
                let budget = Budget::begin(&limits, &ManualClock::default());
                let spent = budget.lasts().expect("limited") + ms(2);
                if left < ms(20) && increment == 0 {
                    break; // answered at once from here on
                }
                assert!(
                    spent < left,
                    "{start}+{increment} at {ply}: {spent:?} of {left:?}"
                );
                left = left - spent + ms(increment);
            }
        }
    }

    #[test]
    fn the_tighter_of_two_limits_counts() {
        let both = |time, left| Limits {
            time: Some(ms(time)),
            ..game(left, 0)
        };
        let lasts = |limits| Budget::begin(&limits, &ManualClock::default()).lasts();
        assert_eq!(lasts(both(100, 60_000)), Some(ms(100)));
        assert!(lasts(both(1_000, 2_000)).expect("limited") < ms(100));
    }

    #[test]
    fn only_a_share_of_a_games_time_can_be_saved_or_stretched() {
        let clock = ManualClock::default();
        let budget = Budget::begin(&game(100_000, 0), &clock).among(10);
        let stretched = budget.clone().stretched(3);
        let share = budget.lasts().expect("limited");
        assert_eq!(stretched.lasts(), Some(3 * share));
        let own_time = Limits {
            time: Some(ms(100)),
            ..game(100_000, 0)
        };
        let own_time = Budget::begin(&own_time, &clock).stretched(3);
        assert_eq!(own_time.lasts(), Some(ms(100)));
        clock.advance(ms(5_000));
        assert!(!budget.is_past(3, 5) && !stretched.is_past(3, 5));
        clock.advance(ms(1_000));
        assert!(budget.is_past(3, 5) && stretched.is_past(3, 5) && !budget.is_spent());
        assert!(!own_time.is_past(0, 1) && !stretched.is_past(1, 1));
    }

    #[test]
    fn a_stretched_share_leaves_most_of_the_time_and_is_never_less_than_the_share() {
        for left in [0, 50, 1_000, 60_000] {
            for increment in [0, 1_000] {
                for moves in [1, 2, 5, 30] {
                    let budget = Budget::begin(&game(left, increment), &ManualClock::default());
                    let share = budget.clone().among(moves).lasts().expect("limited");
                    let most = budget.among(moves).stretched(3).lasts().expect("limited");
                    assert!(share <= most && most <= share.max(ms(left) / 3));
                }
            }
        }
    }

    #[test]
    fn without_a_limit_in_time_it_never_ends() {
        let clock = ManualClock::default();
        let budget = Budget::begin(&Limits::default(), &clock);
        clock.advance(Duration::from_secs(1 << 20));
        assert!(!budget.is_limited() && !budget.is_spent() && !budget.first(0, 1).is_spent());
        assert_eq!((budget.elapsed(), budget.lasts()), (None, None));
    }
}
