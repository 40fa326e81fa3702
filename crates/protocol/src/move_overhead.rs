//! The way of an answer to whoever asked for it: what it takes is no time to think.

use std::time::Duration;

use papan_strategies::Limits;

/// Kept of every time that another program gives, for the pipes between the two.
const WAY: Duration = Duration::from_millis(10);
/// Kept beside it of a longer one, as a part of it and at most: a program that gives
/// seconds may look at its clock only now and then.
const PART: u32 = 40;
const MOST: Duration = Duration::from_millis(200);

/// What is kept of the time for a move so that the answer is there before its end: a
/// little for its way, and what the machine has lately made answers late by.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveOverhead {
    by_wire: bool,
    late: Duration,
}

impl MoveOverhead {
    /// To another program.
    pub fn by_wire() -> Self {
        Self {
            by_wire: true,
            late: Duration::ZERO,
        }
    }

    /// What is left to think of limits that were given so long ago.
    pub fn left(&self, limits: &Limits, waited: Duration) -> Limits {
        let clock = limits.clock.map(|(left, increment)| {
            let kept = (self.late + waited).min(left / 2);
            (left - kept, increment)
        });
        Limits {
            time: limits
                .time
                .map(|time| self.thinking_time(time).saturating_sub(waited)),
            clock,
            ..*limits
        }
    }

    /// An answer is there so long after the limits for it were given. One that is late
    /// is remembered, less and less with every answer after it.
    pub fn note(&mut self, limits: &Limits, took: Duration) {
        if let Some(time) = limits.time {
            let late = took.saturating_sub(self.thinking_time(time));
            self.late = late.max(self.late / 4 * 3);
        }
    }

    /// However late answers come, a quarter of the time is there to think.
    fn thinking_time(&self, time: Duration) -> Duration {
        let way = match self.by_wire {
            true => WAY + (time / PART).min(MOST),
            false => Duration::ZERO,
        };
        time.saturating_sub(way + self.late).max(time / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn given(milliseconds: u64) -> Limits {
        Limits {
            time: Some(ms(milliseconds)),
            ..Limits::default()
        }
    }

    #[test]
    fn an_answer_by_wire_leaves_before_its_time_is_over_and_a_player_at_the_board_has_it_all() {
        let left = |delivery: MoveOverhead, time| delivery.left(&given(time), ms(0)).time.unwrap();
        for time in [20, 100, 1_000, 2_000, 60_000] {
            let here = left(MoveOverhead::default(), time);
            let there = left(MoveOverhead::by_wire(), time);
            assert_eq!(here, ms(time));
            assert!(ms(10) <= here - there && here - there <= ms(210), "{time}");
        }
        assert_eq!(left(MoveOverhead::by_wire(), 4), ms(1));
        assert_eq!(
            MoveOverhead::by_wire().left(&Limits::default(), ms(5)).time,
            None
        );
    }

    #[test]
    fn what_made_an_answer_late_is_kept_of_the_next_ones_and_forgotten_by_and_by() {
        let mut delivery = MoveOverhead::default();
        delivery.note(&given(100), ms(140));
        assert_eq!(delivery.left(&given(100), ms(0)).time, Some(ms(60)));
        // In time by what is left now: the reserve shrinks.
        delivery.note(&given(100), ms(60));
        assert_eq!(delivery.left(&given(100), ms(0)).time, Some(ms(70)));
        for _ in 0..20 {
            delivery.note(&given(100), ms(50));
        }
        assert!(delivery.left(&given(100), ms(0)).time > Some(ms(99)));
        // Whatever the machine does, something is left to think.
        delivery.note(&given(100), ms(10_000));
        assert_eq!(delivery.left(&given(100), ms(0)).time, Some(ms(25)));
        assert_eq!(delivery.left(&given(100), ms(30)).time, Some(ms(0)));
    }

    #[test]
    fn a_games_clock_is_told_what_has_gone_already() {
        let clock = |left| Limits {
            clock: Some((ms(left), ms(7))),
            ..Limits::default()
        };
        let mut delivery = MoveOverhead::by_wire();
        assert_eq!(delivery.left(&clock(1_000), ms(0)), clock(1_000));
        delivery.note(&given(100), ms(200));
        let left = delivery.left(&clock(1_000), ms(4)).clock.unwrap();
        assert!(
            left.0 < ms(900) && left.0 > ms(800) && left.1 == ms(7),
            "{left:?}"
        );
        assert_eq!(delivery.left(&clock(10), ms(0)), clock(5));
    }
}
