//! The page's clock, `performance.now`, which also notices interrupts.

use std::time::Duration;

use papan_strategies::Clock;
use wasm_bindgen::prelude::*;

use crate::interrupt;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// The page's clock. A search with a time limit reads it every few hundred microseconds, so that
/// is also when an interrupt from another thread is noticed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> Duration {
        interrupt::poll();
        // Read from another module's clock or a mocked one, the time might be negative.
        Duration::from_secs_f64((now() / 1000.0).max(0.0))
    }
}
