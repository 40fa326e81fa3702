//! Self-play that workers do: batches in a queue, and their games in order.

use crate::games::Game;
use crate::plan::{Batch, Plan};
use papan_store::{Bell, JobResult, Key, NewJob, Queue, StoreError, Undertaking};
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Games in a batch: some seconds of work.
const BATCH: u64 = 32;
/// Between two looks for results, where no bell rings, and while the database is away.
const LOOK: Duration = Duration::from_secs(1);
/// Between two looks at what failed.
const ROUND: Duration = Duration::from_secs(5);
/// Results that are read at once.
const MOST: u32 = 256;

/// Games of a plan that workers play.
pub struct ByWorkers<'a> {
    queue: &'a Queue,
    name: String,
    /// The last result that was read.
    after: i64,
    bell: Option<Bell>,
    /// How many jobs had failed, and when that was looked at.
    failures: (u64, Instant),
}

impl<'a> ByWorkers<'a> {
    /// Begins, or goes on with what workers of this papan have done of the plan.
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
        // What nobody has begun is handed out anew, as it is wanted today.
        queue.withdraw(&undertaking.name).await?;
        Ok(Self {
            queue,
            name: undertaking.name,
            after: 0,
            bell: None,
            failures: (0, Instant::now()),
        })
    }

    /// Hands out games of these numbers and waits until all are there. `keep` gets
    /// each with its number, `tell` a sentence now and then. While the database is
    /// away it waits.
    ///
    /// # Errors
    /// When the database says no, or holds what are no games.
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

    /// What has come since the last time; it waits a while for it.
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

    /// Ends it once the games are kept elsewhere: the database forgets them.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn end(self) -> Result<(), StoreError> {
        self.queue.forget(&self.name).await?;
        Ok(())
    }
}
