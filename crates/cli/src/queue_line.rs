//! Queue client that retries while the database is unreachable.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use papan_store::{Queue, StoreError};
use papan_strategies::StopToken;
use tokio::runtime::Handle;

use crate::output::status;

/// Delay between two attempts.
const AGAIN: Duration = Duration::from_secs(1);

/// A queue client.
#[derive(Clone)]
pub(crate) struct QueueLine {
    pub(crate) queue: Queue,
    handle: Handle,
    stop: StopToken,
}

/// Whether the unreachable database was reported.
static SAID: AtomicBool = AtomicBool::new(false);

impl QueueLine {
    /// Connects to a queue, which must be reachable at first.
    pub(crate) fn open(url: &str, handle: &Handle, stop: &StopToken) -> anyhow::Result<Self> {
        Ok(Self {
            queue: handle.block_on(Queue::open(url))?,
            handle: handle.clone(),
            stop: stop.clone(),
        })
    }

    /// Retries a request until it is answered or the program is stopped.
    ///
    /// # Errors
    /// When the request is refused.
    pub(crate) fn ask<T>(
        &self,
        question: impl AsyncFn(Queue) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        loop {
            match self.handle.block_on(question(self.queue.clone())) {
                Err(error @ StoreError::Away { .. }) if !self.stop.is_stopped() => {
                    if !SAID.swap(true, Ordering::Relaxed) {
                        status(format_args!("{error}; waiting until it is back"));
                    }
                    std::thread::sleep(AGAIN);
                }
                answer => {
                    if answer.is_ok() && SAID.swap(false, Ordering::Relaxed) {
                        status(format_args!("{} is back", self.queue.name()));
                    }
                    return answer;
                }
            }
        }
    }

    /// Waits for a future, with a timeout.
    pub(crate) fn wait(&self, most: Duration, for_what: impl Future<Output = ()>) {
        let _ = self
            .handle
            .block_on(async { tokio::time::timeout(most, for_what).await });
    }
}

/// Returns the version and weights digest that a worker must have to reproduce results.
pub(crate) fn reproduced_by() -> String {
    papan_store::reproduced_by(papan_othello::eval::weights::shipped_file())
}
