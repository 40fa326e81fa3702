//! The line to a queue: whoever is on it waits while the database is away, and goes
//! on when it is back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use papan_store::{Queue, StoreError};
use papan_strategies::StopToken;
use tokio::runtime::Handle;

use crate::output::status;

/// Between two attempts while the database is away.
const AGAIN: Duration = Duration::from_secs(1);

/// The line to a queue.
#[derive(Clone)]
pub(crate) struct QueueLine {
    pub(crate) queue: Queue,
    handle: Handle,
    stop: StopToken,
}

/// Whether it has been said that the database is away.
static SAID: AtomicBool = AtomicBool::new(false);

impl QueueLine {
    /// Reaches a queue; at first it has to be there.
    pub(crate) fn open(url: &str, handle: &Handle, stop: &StopToken) -> anyhow::Result<Self> {
        Ok(Self {
            queue: handle.block_on(Queue::open(url))?,
            handle: handle.clone(),
            stop: stop.clone(),
        })
    }

    /// Asks until there is an answer, or somebody ends the program.
    ///
    /// # Errors
    /// When the answer is no.
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

    /// Waits for something, for so long at most.
    pub(crate) fn wait(&self, most: Duration, for_what: impl Future<Output = ()>) {
        let _ = self
            .handle
            .block_on(async { tokio::time::timeout(most, for_what).await });
    }
}

/// Which papan reproduces what this one does: its version and what it has learned.
pub(crate) fn reproduced_by() -> String {
    papan_store::reproduced_by(papan_othello::eval::weights::shipped_file())
}
