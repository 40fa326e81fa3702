//! Distributed self-play: batches in a queue, games in order.

use crate::games::Game;
use crate::plan::{Batch, Plan};
use papan_store::{Bell, JobResult, Key, NewJob, Queue, StoreError, Undertaking};
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Games in a batch: some seconds of work.
const BATCH: u64 = 32;
/// Polling interval for results, and the delay between retries.
const LOOK: Duration = Duration::from_secs(1);
/// Interval of the checks for failures.
const ROUND: Duration = Duration::from_secs(5);
/// Maximum number of results read at once.
const MOST: u32 = 256;

/// Games of a plan, played by workers.
pub struct ByWorkers<'a> {
    queue: &'a Queue,
    name: String,
    /// Number of the last result read.
    after: i64,
    bell: Option<Bell>,
    /// Number of failed jobs, and when it was read.
    failures: (u64, Instant),
}

impl<'a> ByWorkers<'a> {
    /// Starts or continues a plan.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn begin(queue: &'a Queue, plan: &Plan, needs: &str) -> Result<Self, StoreError> {
        let key = Key::of(format!("{needs} {}", plan.text()).as_bytes()).to_string();
        let undertaking = Undertaking {
            name: format!("{} {}", Plan::KIND, &key[..16]),
            kind: Plan::KIND.into(),
            needs: needs.into(),
            body: plan.text().into(),
        };
        queue.begin(&undertaking).await?;
        // Waiting jobs are submitted again as needed.
        queue.withdraw(&undertaking.name).await?;
        Ok(Self {
            queue,
            name: undertaking.name,
            after: 0,
            bell: None,
            failures: (0, Instant::now()),
        })
    }

    /// Submits games of these numbers and waits for all of them. `keep` receives each with its
    /// number, `tell` status messages. Waits while the database is unreachable.
    ///
    /// # Errors
    /// When the database reports an error, or a result is invalid.
    pub async fn play(
        &mut self,
        numbers: Range<u64>,
        keep: impl Fn(u64, Game),
        tell: impl Fn(&str),
    ) -> Result<(), StoreError> {
        let firsts = numbers.clone().step_by(BATCH as usize);
        let batches = firsts.map(|first| Batch(first..numbers.end.min(first + BATCH)));
        let jobs: Vec<NewJob> = batches
            .map(|batch| NewJob {
                body: batch.to_string(),
                priority: 0,
            })
            .collect();
        let mut missing: BTreeSet<Key> = jobs.iter().map(NewJob::key).collect();
        let mut posted = false;
        while !missing.is_empty() {
            let found = match posted {
                true => self.results(&tell).await,
                false => self.queue.post(&self.name, &jobs).await.map(|_| Vec::new()),
            };
            let found = match found {
                Ok(found) => found,
                Err(error @ StoreError::Away { .. }) => {
                    tell(&format!("{error}; waiting until it is back"));
                    self.bell = None;
                    tokio::time::sleep(LOOK).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            posted = true;
            for result in found {
                missing.remove(&result.key);
                let Some((batch, games)) = Batch::games_of(&result.body) else {
                    return Err(StoreError::Database {
                        path: self.queue.name().into(),
                        what: format!("a result of {} holds no games", self.name),
                    });
                };
                let wanted = batch.0.zip(games);
                let wanted = wanted.filter(|(number, _)| numbers.contains(number));
                wanted.for_each(|(number, game)| keep(number, game));
            }
        }
        Ok(())
    }

    /// Returns new results, waiting for them for a while.
    async fn results(&mut self, tell: &impl Fn(&str)) -> Result<Vec<JobResult>, StoreError> {
        let mut found = self.queue.results(&self.name, self.after, MOST).await?;
        if found.is_empty() {
            if self.bell.is_none() {
                self.bell = self.queue.hear_results().await.ok();
            }
            match &mut self.bell {
                Some(bell) => {
                    if tokio::time::timeout(LOOK, bell.ring()).await == Ok(false) {
                        self.bell = None;
                    }
                }
                None => tokio::time::sleep(LOOK).await,
            }
            self.look_at_failures(tell).await?;
            found = self.queue.results(&self.name, self.after, MOST).await?;
        }
        if let Some(last) = found.last() {
            self.after = last.number;
        }
        Ok(found)
    }

    async fn look_at_failures(&mut self, tell: &impl Fn(&str)) -> Result<(), StoreError> {
        let (known, looked) = self.failures;
        if looked.elapsed() < ROUND {
            return Ok(());
        }
        let count = self.queue.failures(&self.name).await?;
        if count > known {
            tell(&format!(
                "{count} jobs failed; `papan jobs` tells why, and --retry tries them again"
            ));
        }
        self.failures = (count, Instant::now());
        Ok(())
    }

    /// Ends the group once the games are stored, and deletes it.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn end(self) -> Result<(), StoreError> {
        self.queue.forget(&self.name).await?;
        Ok(())
    }
}
