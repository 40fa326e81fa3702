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
