//! Time controls as text: one grammar for every front end.
//!
//! A time is one or more numbers with a unit, `d`, `h`, `m` (or `min`), `s` or `ms`, larger units
//! first: `5m`, `1m30s`, `1.5s`, `500ms`. A bare number is seconds. A game clock is a time with an
//! optional increment per move: `5m+3s`. One of at least a day with an equal increment is a time per
//! move (correspondence): `3d+3d`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// The text cannot be read.
    #[error(
        "`{0}` is not a time; write 5m, 30s, 1m30s or 500ms, and 5m+3s for a clock with an increment"
    )]
    Unreadable(String),
    /// No time at all where some is needed.
    #[error("`{0}` is no time to think; give at least a millisecond, such as 100ms or 5m+3s")]
    Nothing(String),
}

/// The units, the larger first, in nanoseconds.
const UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
];

/// Parses a time.
///
/// # Errors
/// When the text is not a time, or too long.
pub fn parse_time(text: &str) -> Result<Duration, TimeError> {
    let read = || {
        let mut rest = text.trim();
        let mut units = &UNITS[..];
        let mut total = Duration::ZERO;
        while !rest.is_empty() || units.len() == UNITS.len() {
            let number = split(&mut rest, |c| c.is_ascii_digit() || c == '.');
            let unit = match split(&mut rest, |c| c.is_ascii_alphabetic()) {
                "min" => "m",
                // Only a time without any unit leaves it out.
                "" if rest.is_empty() && units.len() == UNITS.len() => "s",
                unit => unit,
            };
            let at = units.iter().position(|(name, _)| *name == unit)?;
            total = total.checked_add(scaled(number, units[at].1)?)?;
            units = &units[at + 1..];
        }
        Some(total)
    };
    read().ok_or_else(|| TimeError::Unreadable(text.into()))
}

/// Takes the characters from the front that are wanted.
fn split<'a>(rest: &mut &'a str, wanted: impl Fn(char) -> bool) -> &'a str {
    let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    let (front, back) = rest.split_at(end);
    *rest = back;
    front
}

/// Parses a decimal number of units of `unit` nanoseconds; `None` if it is invalid or overflows.
fn scaled(number: &str, unit: u64) -> Option<Duration> {
    /// Digits of the longest time in seconds; with more of either, the products below overflow.
    const MAX_WHOLE: usize = 20;
    const MAX_FRACTION: usize = 18;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_short = whole.len() <= MAX_WHOLE && fraction.len() <= MAX_FRACTION;
    if !is_short || whole.len() + fraction.len() == 0 {
        return None;
    }
    let digits = |text: &str| {
        if text.is_empty() {
            Ok(0)
        } else {
            text.parse::<u128>()
        }
    };
    let of_one = digits(fraction).ok()? * u128::from(unit) / 10_u128.pow(fraction.len() as u32);
    let nanoseconds = digits(whole).ok()? * u128::from(unit) + of_one;
    const SECOND: u128 = 1_000_000_000;
    let seconds = u64::try_from(nanoseconds / SECOND).ok()?;
    Some(Duration::new(seconds, (nanoseconds % SECOND) as u32))
}

/// Writes a time as [`parse_time`] reads it: `90s`, `1.5s`, `250ms`.
#[must_use]
pub fn format_time(time: Duration) -> String {
    let (whole, fraction, digits, unit) = match time.as_secs() {
        0 => {
            let nanoseconds = time.subsec_nanos();
            (
                u64::from(nanoseconds / 1_000_000),
                nanoseconds % 1_000_000,
                6,
                "ms",
            )
        }
        seconds => (seconds, time.subsec_nanos(), 9, "s"),
    };
    match fraction {
        0 => format!("{whole}{unit}"),
        _ => {
            let fraction = format!("{fraction:0digits$}");
            format!("{whole}.{}{unit}", fraction.trim_end_matches('0'))
        }
    }
}

/// A game clock: the time for the whole game, and the increment per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For the whole game.
    pub base: Duration,
    /// Added with every move.
    pub increment: Duration,
}

/// Shortest time per move.
const DAY: Duration = Duration::from_secs(24 * 3600);

impl TimeControl {
    /// Whether it is a time per move (correspondence), which does not accumulate.
    #[must_use]
    pub fn is_per_move(&self) -> bool {
        self.base >= DAY && self.increment == self.base
    }
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control = Self {
            base: parse_time(base)?,
            increment: parse_time(increment)?,
        };
        if control.base.is_zero() {
            Err(TimeError::Nothing(text.into()))
        } else {
            Ok(control)
        }
    }
}

/// Whole minutes are written as minutes: `5m+3s`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.base.as_secs(), self.base.subsec_nanos()) {
            (seconds, 0) if seconds % 60 == 0 && seconds > 0 => write!(f, "{}m", seconds / 60)?,
            _ => f.write_str(&format_time(self.base))?,
        }
        if self.increment.is_zero() {
            Ok(())
        } else {
            write!(f, "+{}", format_time(self.increment))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("5m", 300_000),
            ("3d", 259_200_000),
            ("1d12h", 129_600_000),
            ("1m30s", 90_000),
            ("1h5m", 3_900_000),
            ("45", 45_000),
            ("0.25", 250),
            (" 2s ", 2_000),
            ("1.5s", 1_500),
            (".5s", 500),
            ("3min", 180_000),
            ("100ms", 100),
            ("1s500ms", 1_500),
            ("0", 0),
        ] {
            assert_eq!(parse_time(text), Ok(ms(milliseconds)), "{text}");
        }
        assert_eq!(parse_time("0.5ms"), Ok(Duration::from_micros(500)));
    }

    #[test]
    fn what_is_no_time_is_named() {
        for text in [
            "",
            " ",
            "m",
            ".",
            "s",
            "5x",
            "-1s",
            "+1s",
            "1s5m",
            "5m5m",
            "1m30",
            "1..5s",
            "1.5.5s",
            "1 s",
            "1e3s",
            "99999999999999999999h",
            "999999999999999999h",
            "5m+3s",
            "\u{661}s",
        ] {
            let wrong = Err(TimeError::Unreadable(text.into()));
            assert_eq!(parse_time(text), wrong, "{text}");
        }
    }

    #[test]
    fn a_clock_has_time_to_start_with() {
        let clock = |text: &str| text.parse::<TimeControl>();
        let control = TimeControl {
            base: ms(300_000),
            increment: ms(3_000),
        };
        assert_eq!(clock("5m+3s"), Ok(control));
        for text in ["5m", "90s", "3m+2s", "1.5s", "500ms+0.1ms", "60m+30s"] {
            assert_eq!(clock(text).map(|clock| clock.to_string()), Ok(text.into()));
        }
        assert_eq!(clock("0s"), Err(TimeError::Nothing("0s".into())));
        for text in ["5m+", "+3s", "5m+3s+1s", "5+x"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_time_is_read_as_it_was_written(seconds in prop_oneof![0..100_000_000_u64, 0..u64::MAX], nanos in 0..1_000_000_000_u32) {
            let time = Duration::new(seconds, nanos);
            prop_assert_eq!(parse_time(&format_time(time)), Ok(time));
            let control = TimeControl { base: time + ms(1), increment: time };
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", number in "[0-9.]{0,45}(h|m|s|ms|min)?") {
            let _ = parse_time(&text);
            let _ = parse_time(&number);
        }
    }
}
