//! Wall-clock time beside monotonic time.
//!
//! Rate limits and timeouts use the monotonic [`Clock`]; stored timestamps need a date.
//! Tests substitute a [`ManualClock`].

use std::time::{SystemTime, UNIX_EPOCH};

use papan_strategies::{Clock, ManualClock, SystemClock};

/// A monotonic clock that also tells the date.
pub trait WallClock: Clock {
    /// Returns milliseconds since the Unix epoch.
    fn unix_millis(&self) -> i64;
}

impl WallClock for SystemClock {
    fn unix_millis(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_millis() as i64)
    }
}

/// Starts at 10^12 ms, in September 2001.
impl WallClock for ManualClock {
    fn unix_millis(&self) -> i64 {
        1_000_000_000_000 + self.shown().as_millis() as i64
    }
}

/// Returns the date of a Unix time in UTC, as `2026-11-18`.
///
/// Reference: <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>
pub(crate) fn date(unix_millis: i64) -> String {
    // Eras of 400 years begin on 1 March.
    let days = unix_millis.div_euclid(24 * 3_600_000) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_400, "2000-02-29"),
            (1_000_000_000, "2001-09-09"),
            (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds * 1000), text);
        }
    }
}
