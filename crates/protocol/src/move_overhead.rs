//! Move overhead: time reserved for I/O and scheduling, as the UCI option "Move Overhead".
//!
//! The overhead has a fixed part for the pipes, a share of longer times for controllers
//! with a coarse clock, and an adaptive part: the delay by which recent moves exceeded
//! their time on this machine.

use std::time::Duration;

use papan_strategies::Limits;

/// Fixed overhead per move for the pipes to another process.
const PIPE_OVERHEAD: Duration = Duration::from_millis(10);
/// The time per move divided by this is reserved as well, up to `MAX_PROPORTIONAL`:
/// controllers that allot seconds may check their clock only a few times a second.
const PROPORTIONAL_DIVISOR: u32 = 40;
const MAX_PROPORTIONAL: Duration = Duration::from_millis(200);

/// The part of the time per move that is not used for searching.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveOverhead {
    /// Whether the move goes through a pipe to another process.
    over_pipe: bool,
    /// Recent delay beyond the time limit, decaying.
    lateness: Duration,
}

impl MoveOverhead {
    /// Returns the overhead for moves that are sent to another process.
    #[must_use]
    pub fn over_pipe() -> Self {
        Self {
            over_pipe: true,
            lateness: Duration::ZERO,
        }
    }

    /// Returns the limits for the search, when the given limits were received `elapsed`
    /// ago.
    #[must_use]
    pub fn apply(&self, limits: &Limits, elapsed: Duration) -> Limits {
        let clock = limits.clock.map(|(remaining, increment)| {
            let reserve = (self.lateness + elapsed).min(remaining / 2);
            (remaining - reserve, increment)
        });
        Limits {
            time: limits
                .time
                .map(|time| self.search_time(time).saturating_sub(elapsed)),
            clock,
            ..*limits
        }
    }

    /// Records how long a move took under these limits. A late move increases the overhead
    /// of the following ones, by an amount that decays with every move.
    pub fn record(&mut self, limits: &Limits, taken: Duration) {
        if let Some(time) = limits.time {
            let late = taken.saturating_sub(self.search_time(time));
            self.lateness = late.max(self.lateness / 4 * 3);
        }
    }

    /// At least a quarter of the time, whatever the overhead.
    fn search_time(&self, time: Duration) -> Duration {
        let fixed = if self.over_pipe {
            PIPE_OVERHEAD + (time / PROPORTIONAL_DIVISOR).min(MAX_PROPORTIONAL)
        } else {
            Duration::ZERO
        };
        time.saturating_sub(fixed + self.lateness).max(time / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn movetime(milliseconds: u64) -> Limits {
        Limits {
            time: Some(ms(milliseconds)),
            ..Limits::default()
        }
    }

    #[test]
    fn only_moves_over_a_pipe_have_a_fixed_overhead() {
        let left =
            |overhead: MoveOverhead, time| overhead.apply(&movetime(time), ms(0)).time.unwrap();
        for time in [20, 100, 1_000, 2_000, 60_000] {
            let local = left(MoveOverhead::default(), time);
            let remote = left(MoveOverhead::over_pipe(), time);
            assert_eq!(local, ms(time));
            assert!(
                ms(10) <= local - remote && local - remote <= ms(210),
                "{time}"
            );
        }
        assert_eq!(left(MoveOverhead::over_pipe(), 4), ms(1));
        assert_eq!(
            MoveOverhead::over_pipe()
                .apply(&Limits::default(), ms(5))
                .time,
            None
        );
    }

    #[test]
    fn the_overhead_grows_with_a_late_move_and_decays() {
        let mut overhead = MoveOverhead::default();
        overhead.record(&movetime(100), ms(140));
        assert_eq!(overhead.apply(&movetime(100), ms(0)).time, Some(ms(60)));
        // In time under the reduced limit, so the overhead decays.
        overhead.record(&movetime(100), ms(60));
        assert_eq!(overhead.apply(&movetime(100), ms(0)).time, Some(ms(70)));
        for _ in 0..20 {
            overhead.record(&movetime(100), ms(50));
        }
        assert!(overhead.apply(&movetime(100), ms(0)).time > Some(ms(99)));
        // A quarter of the time is never reserved.
        overhead.record(&movetime(100), ms(10_000));
        assert_eq!(overhead.apply(&movetime(100), ms(0)).time, Some(ms(25)));
        assert_eq!(overhead.apply(&movetime(100), ms(30)).time, Some(ms(0)));
    }

    #[test]
    fn elapsed_time_is_subtracted_from_the_clock() {
        let clock = |left| Limits {
            clock: Some((ms(left), ms(7))),
            ..Limits::default()
        };
        let mut overhead = MoveOverhead::over_pipe();
        assert_eq!(overhead.apply(&clock(1_000), ms(0)), clock(1_000));
        overhead.record(&movetime(100), ms(200));
        let left = overhead.apply(&clock(1_000), ms(4)).clock.unwrap();
        assert!(
            left.0 < ms(900) && left.0 > ms(800) && left.1 == ms(7),
            "{left:?}"
        );
        assert_eq!(overhead.apply(&clock(10), ms(0)), clock(5));
    }
}
