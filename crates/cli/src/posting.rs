//! Work that was posted for workers, and what comes of it.

use std::time::{Duration, Instant};

use papan_store::{Bell, JobResult, NewJob, Queue, StoreError, Undertaking};
use papan_strategies::StopToken;
use tokio::runtime::Runtime;

use crate::output::status;
use crate::queue_line::QueueLine;

/// Between two looks for results, where no bell rings.
const LOOK: Duration = Duration::from_secs(1);
/// Between two looks at who works and what failed.
const ROUND: Duration = Duration::from_secs(2);
/// Jobs for each thread of each worker: one that it does, and some that wait.
const EACH: usize = 3;
/// Jobs that are out at least, for workers who come.
const LEAST: usize = 8;
/// Results that are read at once.
const MOST: u32 = 256;

/// An undertaking in a queue.
pub(crate) struct Posting {
    line: QueueLine,
    name: String,
    /// The last result that was read.
    after: i64,
    bell: Option<Bell>,
    /// How many threads work, and when that was seen.
    threads: (usize, Option<Instant>),
    failures: u64,
    runtime: Runtime,
}

impl Posting {
    /// Begins an undertaking, or goes on with it; `again` from the beginning.
    pub(crate) fn begin(url: &str, undertaking: &Undertaking, again: bool) -> anyhow::Result<Self> {
        let runtime = Runtime::new()?;
        // Ctrl-C ends the program here: whatever is under way goes on without it.
        let line = QueueLine::open(url, runtime.handle(), &StopToken::default())?;
        let name = &undertaking.name;
        if again {
            line.ask(async |queue: Queue| queue.forget(name).await)?;
        }
        line.ask(async |queue: Queue| queue.begin(undertaking).await)?;
        // What nobody has begun is handed out anew, as it is wanted today.
        line.ask(async |queue: Queue| queue.withdraw(name).await)?;
        Ok(Self {
            line,
            name: name.clone(),
            after: 0,
            bell: None,
            threads: (1, None),
            failures: 0,
            runtime,
        })
    }

    /// Posts a job; asking twice is asking once.
    pub(crate) fn post(&self, body: String) -> Result<(), StoreError> {
        let name = &self.name;
        let job = [NewJob { body, priority: 0 }];
        let posted = self
            .line
            .ask(async |queue: Queue| queue.post(name, &job).await);
        posted.map(|_| ())
    }

    /// How many jobs keep everybody busy.
    pub(crate) fn ahead(&mut self) -> usize {
        // Whoever cannot be asked now is asked a moment later.
        let _ = self.look_round();
        (self.threads.0 * EACH).max(LEAST)
    }

    /// Looks who works, and says what failed.
    fn look_round(&mut self) -> Result<(), StoreError> {
        if self.threads.1.is_some_and(|seen| seen.elapsed() < ROUND) {
            return Ok(());
        }
        let name = &self.name;
        let threads = self.line.ask(async |queue: Queue| queue.threads().await)?;
        let failures = self
            .line
            .ask(async |queue: Queue| queue.failures(name).await)?;
        if failures > self.failures {
            status(format_args!(
                "{failures} jobs failed; `papan jobs` tells why, and --retry tries them again"
            ));
        }
        self.failures = failures;
        self.threads = (threads as usize, Some(Instant::now()));
        Ok(())
    }

    /// What has come since the last time; it waits a while for it.
    pub(crate) fn results(&mut self) -> Result<Vec<JobResult>, StoreError> {
        let found = self.new_results()?;
        if !found.is_empty() {
            return Ok(found);
        }
        self.wait_for_the_bell();
        self.new_results()
    }

    fn new_results(&mut self) -> Result<Vec<JobResult>, StoreError> {
        let (name, after) = (&self.name, self.after);
        let found = self
            .line
            .ask(async |queue: Queue| queue.results(name, after, MOST).await)?;
        if let Some(last) = found.last() {
            self.after = last.number;
        }
        Ok(found)
    }

    fn wait_for_the_bell(&mut self) {
        if self.bell.is_none() {
            self.bell = self.runtime.block_on(self.line.queue.hear_results()).ok();
        }
        let Some(bell) = &mut self.bell else {
            return self.line.wait(LOOK, std::future::pending());
        };
        let mut rang = true;
        self.line.wait(LOOK, async { rang = bell.ring().await });
        if !rang {
            self.bell = None;
        }
    }

    /// Ends it: what nobody has begun is not begun any more.
    pub(crate) fn end(&self) -> Result<(), StoreError> {
        let name = &self.name;
        self.line.ask(async |queue: Queue| queue.stop(name).await)
    }
}
