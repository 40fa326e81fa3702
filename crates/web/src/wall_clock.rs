//! What time it is for a server: clocks that also know the date.

use std::time::{SystemTime, UNIX_EPOCH};

use papan_strategies::{Clock, ManualClock, SystemClock};

/// A clock that also knows the date. Rates and waits go by the clock, which never
/// goes back; what is stored carries the date.
pub trait WallClock: Clock {
    /// Milliseconds since 1970.
    fn date(&self) -> i64;
}

impl WallClock for SystemClock {
    fn date(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_millis() as i64)
    }
}

/// It begins in September 2001, with a round number.
impl WallClock for ManualClock {
    fn date(&self) -> i64 {
        1_000_000_000_000 + self.shown().as_millis() as i64
    }
}
