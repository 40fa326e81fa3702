//! Job producer: submits jobs of one group to the queue and reads their results.

use std::time::{Duration, Instant};

use papan_store::{Bell, JobResult, NewJob, Queue, StoreError, Undertaking};
use papan_strategies::StopToken;
use tokio::runtime::Runtime;

use crate::output::status;
use crate::queue_line::QueueLine;

/// Polling interval for results without a notification.
const LOOK: Duration = Duration::from_secs(1);
/// Interval of the checks for workers and failures.
const ROUND: Duration = Duration::from_secs(2);
/// Jobs in flight for each thread of each worker: one running, the others waiting.
const EACH: usize = 3;
/// Minimum number of jobs in flight, for workers that connect later.
const LEAST: usize = 8;
/// Maximum number of results read at once.
const MOST: u32 = 256;

/// A job group in a queue.
pub(crate) struct Posting {
    line: QueueLine,
    name: String,
    /// Number of the last result read.
    after: i64,
    bell: Option<Bell>,
    /// Number of worker threads, and when it was read.
    threads: (usize, Option<Instant>),
    failures: u64,
    runtime: Runtime,
}

impl Posting {
    /// Starts or continues a job group; `again` starts from the beginning.
    pub(crate) fn begin(url: &str, undertaking: &Undertaking, again: bool) -> anyhow::Result<Self> {
        let runtime = Runtime::new()?;
        // Ctrl-C ends the program; running jobs continue without it.
        let line = QueueLine::open(url, runtime.handle(), &StopToken::default())?;
        let name = &undertaking.name;
        if again {
            line.ask(async |queue: Queue| queue.forget(name).await)?;
        }
        line.ask(async |queue: Queue| queue.begin(undertaking).await)?;
        // Waiting jobs are submitted again as needed.
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

    /// Submits a job; submitting it twice has no further effect.
    pub(crate) fn post(&self, body: String) -> Result<(), StoreError> {
        let name = &self.name;
        let job = [NewJob { body, priority: 0 }];
        let posted = self
            .line
            .ask(async |queue: Queue| queue.post(name, &job).await);
        posted.map(|_| ())
    }

    /// Returns the target number of jobs in flight.
    pub(crate) fn ahead(&mut self) -> usize {
        // An unreachable database is asked again later.
        let _ = self.look_round();
        (self.threads.0 * EACH).max(LEAST)
    }

    /// Reads the number of worker threads, and reports failures.
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

    /// Returns new results, waiting for them for a while.
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

    /// Ends the group: waiting jobs are withdrawn.
    pub(crate) fn end(&self) -> Result<(), StoreError> {
        let name = &self.name;
        self.line.ask(async |queue: Queue| queue.stop(name).await)
    }
}
