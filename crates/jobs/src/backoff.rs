//! Exponential back-off with jitter.
//!
//! Reference: <https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/>

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// Delays between attempts: they double up to a limit, and each is drawn at random from its upper
/// half, so that a thousand workers do not all try again at the same moment.
pub(crate) struct Backoff {
    next: Duration,
}

impl Backoff {
    pub(crate) fn new() -> Self {
        Self { next: FIRST }
    }

    pub(crate) async fn wait(&mut self) {
        tokio::time::sleep(jitter(self.next)).await;
        self.next = (self.next * 2).min(LONGEST);
    }
}

/// Draws from the upper half of a duration.
pub(crate) fn jitter(duration: Duration) -> Duration {
    // A new `RandomState` has new keys each time.
    let random = RandomState::new().hash_one(0_u8);
    let part = (random >> 32) as f64 / f64::from(u32::MAX);
    duration.mul_f64(0.5 + part / 2.0)
}
