//! Clocks, injected by the caller; no strategy reads the system time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A source of time.
pub trait Clock: Send + Sync {
    /// The time since a moment that stays the same; it never goes back.
    fn now(&self) -> Duration;
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Duration {
        (**self).now()
    }
}

/// The system's clock, where there is a system.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Clock for SystemClock {
    fn now(&self) -> Duration {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// A manual clock for tests.
///
/// All clones share the same time.
#[derive(Clone, Debug, Default)]
pub struct ManualClock {
    nanoseconds: Arc<AtomicU64>,
    step: Duration,
}

impl ManualClock {
    /// Creates a clock that advances by `step` at every reading.
    #[must_use]
    pub fn stepping(step: Duration) -> Self {
        Self {
            step,
            ..Self::default()
        }
    }

    /// Moves it on.
    pub fn advance(&self, time: Duration) {
        self.turn(time);
    }

    /// Returns the time without advancing it.
    #[must_use]
    pub fn shown(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn turn(&self, time: Duration) -> Duration {
        let more = time.as_nanos() as u64;
        Duration::from_nanos(self.nanoseconds.fetch_add(more, Ordering::Relaxed))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        self.turn(self.step)
    }
}
