//! Upkeep of a group while its producer waits: dead letters, workers, jobs that the server lost, and
//! jobs that a worker keeps beyond their time limit.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{Outstanding, Producer};
use crate::kind::stop_grace;
use crate::record::WorkerRecord;
use crate::transport::{Completion, Delivery, Receipt};
use crate::{DeadLetter, Digest, JobKind, JobsError};

/// Between two looks at workers and dead letters.
const STATUS_INTERVAL: Duration = Duration::from_secs(2);
/// How long there may be no workers before the user is told.
const NO_WORKERS_NOTICE: Duration = Duration::from_secs(5);
/// Jobs that are looked at or submitted again at once.
const RESUBMIT_BATCH: usize = 256;
/// Between two renewals of the group, which otherwise expires.
const REFRESH: Duration = Duration::from_secs(3600);
/// A job that was taken from this many workers, which kept it beyond its limit, has failed.
const MAX_RESTARTS: u32 = 2;
/// Failed jobs that an error names.
const MAX_NAMED: usize = 5;

/// Workers and dead letters at the last look.
#[derive(Default)]
pub(super) struct Status {
    read: Option<Instant>,
    pub(super) threads: usize,
    pub(super) workers: Vec<WorkerRecord>,
    /// The dead letters of failed jobs.
    pub(super) dead: HashMap<Digest, DeadLetter>,
    /// Since when jobs are out and no worker can run them.
    without_workers: Option<Instant>,
    is_missing_workers: bool,
    /// Looks in a row at which every job that was out had failed.
    stalled: u32,
    failure: Option<JobsError>,
}

impl Status {
    /// The status of a group with dead letters from before.
    pub(super) fn new(letters: Vec<DeadLetter>) -> Self {
        let letters = letters.into_iter().map(|letter| (letter.key(), letter));
        Self {
            dead: letters.collect(),
            ..Self::default()
        }
    }

    /// # Errors
    /// When all jobs that are out have failed: no result will come.
    pub(super) fn check_progress(&mut self) -> Result<(), JobsError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Enters whether all jobs that are out have failed. At the second look in a row the caller has
    /// had the occasion to submit others.
    fn enter_stall(&mut self, group: &str, outstanding: &HashMap<Digest, Outstanding>) {
        let failed = outstanding.keys().filter_map(|key| {
            let reason = &self.dead.get(key)?.reason;
            Some(format!("{}: {reason}", key.short()))
        });
        let mut failed: Vec<String> = failed.collect();
        let is_stalled = !failed.is_empty() && failed.len() == outstanding.len();
        self.stalled = if is_stalled { self.stalled + 1 } else { 0 };
        self.failure = None;
        if self.stalled >= 2 {
            failed.sort();
            let more = failed.len().saturating_sub(MAX_NAMED);
            failed.truncate(MAX_NAMED);
            if more > 0 {
                failed.push(format!("{more} more"));
            }
            self.failure = Some(JobsError::Failed {
                group: group.to_owned(),
                jobs: failed.join("; "),
            });
        }
    }
}

impl<K: JobKind> Producer<K> {
    pub(super) fn read_status(&mut self) -> Result<(), JobsError> {
        let read = self.status.read;
        if read.is_some_and(|read| read.elapsed() < STATUS_INTERVAL) {
            return Ok(());
        }
        self.status.read = Some(Instant::now());
        let transport = self.connection.transport();
        let mut workers = self.connection.block_on(transport.workers())?;
        workers.retain(|worker| !worker.draining && worker.routes.contains(&self.record.route));
        self.status.threads = workers.iter().map(|worker| worker.threads).sum();
        self.status.workers = workers;
        self.report_missing_workers();
        self.read_dead_letters()?;
        self.status
            .enter_stall(&self.record.name, &self.outstanding);
        // A server that lost its files may have been given new streams by another command.
        let transport = self.connection.transport();
        let is_open = self
            .connection
            .block_on(transport.is_open(&self.record.name))?;
        if !is_open {
            self.recover()?;
        }
        Ok(())
    }

    /// Says that jobs wait for workers, and that workers have come.
    fn report_missing_workers(&mut self) {
        let status = &mut self.status;
        let group = &self.record.name;
        if status.threads > 0 {
            status.without_workers = None;
            if std::mem::take(&mut status.is_missing_workers) {
                let threads = status.threads;
                let message = format!("workers run jobs of {group}: {threads} at once");
                self.notice.say(&message);
            }
        } else if !self.outstanding.is_empty() {
            let since = *status.without_workers.get_or_insert_with(Instant::now);
            if since.elapsed() >= NO_WORKERS_NOTICE && !status.is_missing_workers {
                status.is_missing_workers = true;
                self.notice.say(&format!(
                    "waiting for workers: none can run jobs of {group}; start one with `papan \
                     worker --jobs {}`; `papan jobs` shows whether workers decline them",
                    self.connection.server()
                ));
            }
        }
    }

    /// Keeps the group from expiring, submits jobs again that the server may have lost, and takes
    /// jobs from workers that keep them beyond their time limit.
    pub(super) fn tend(&mut self) -> Result<(), JobsError> {
        // A failure here is temporary; the next call tries again.
        let _ = self.read_status();
        if self.refreshed.elapsed() > REFRESH {
            self.refreshed = Instant::now();
            let transport = self.connection.transport();
            let opened = transport.open_group(&self.record, &self.body);
            self.connection.block_on(opened)?;
        }
        let now = Instant::now();
        let next = now + self.resubmit_after();
        let recheck = self.recheck.as_ref();
        let has_result = |key| recheck.is_some_and(|recheck| recheck.has(key));
        let due = self.outstanding.iter_mut();
        let due =
            due.filter(|(key, outstanding)| outstanding.resubmit <= now && !has_result(**key));
        let mut again = Vec::new();
        for (key, outstanding) in due.take(RESUBMIT_BATCH) {
            outstanding.resubmit = next;
            again.push((outstanding.class, *key, outstanding.body.clone()));
        }
        if again.is_empty() {
            return Ok(());
        }
        // A failed job is not run again before an operator asks for it.
        again.retain(|(_, key, _)| !self.status.dead.contains_key(key));
        let keys: Vec<Digest> = again.iter().map(|(_, key, _)| *key).collect();
        let jobs = again
            .into_iter()
            .map(|(class, key, body)| (self.address(class, key), body));
        self.send(jobs.collect())?;
        self.restart_overdue(&keys)
    }

    /// Takes jobs from workers that report them as in progress beyond their time limit: a worker
    /// of papan stops them itself, any other client can hold them for ever.
    fn restart_overdue(&mut self, keys: &[Digest]) -> Result<(), JobsError> {
        let addresses: Vec<_> = keys
            .iter()
            .filter_map(|key| Some(self.address(self.outstanding.get(key)?.class, *key)))
            .collect();
        let transport = self.connection.transport();
        let taken = self.connection.block_on(transport.taken(&addresses))?;
        let limit = K::time_limit(&self.group);
        let patience = limit + 2 * stop_grace(limit);
        for (address, is_taken) in addresses.iter().zip(taken) {
            let Some(outstanding) = self.outstanding.get_mut(&address.key) else {
                continue;
            };
            // Without workers it waits to be delivered again.
            if !is_taken || self.status.threads == 0 {
                outstanding.taken = None;
                continue;
            }
            let since = *outstanding.taken.get_or_insert_with(Instant::now);
            if since.elapsed() > patience {
                self.restart(address.key, since.elapsed())?;
            }
        }
        Ok(())
    }

    fn restart(&mut self, key: Digest, time: Duration) -> Result<(), JobsError> {
        let Some(outstanding) = self.outstanding.get_mut(&key) else {
            return Ok(());
        };
        outstanding.taken = None;
        outstanding.restarts += 1;
        let is_failed = outstanding.restarts > MAX_RESTARTS;
        outstanding.has_failed = is_failed;
        let (class, body) = (outstanding.class, outstanding.body.clone());
        let group = &self.record.name;
        let mut workers = self.status.workers.iter();
        let holder = workers.find(|worker| {
            let mut running = worker.running.iter();
            running.any(|job| job.key == key && job.group == *group)
        });
        let holder = holder.map_or_else(
            || "a worker that is not in the list".to_owned(),
            |worker| format!("worker {}", worker.name),
        );
        let reason = format!(
            "{holder} has held it for {} s, longer than its time limit of {} s",
            time.as_secs(),
            K::time_limit(&self.group).as_secs()
        );
        let then = if is_failed { "failed" } else { "runs again" };
        let message = format!("job {} of {group} {then}: {reason}", key.short());
        self.notice.say(&message);
        let transport = self.connection.transport();
        let withdrawn = transport.withdraw(&self.record, Some(std::slice::from_ref(&key)));
        self.connection.block_on(withdrawn)?;
        let address = self.address(class, key);
        if !is_failed {
            return self.connection.block_on(transport.submit(&address, body));
        }
        let delivery = Delivery {
            address,
            body,
            attempt: 0,
            receipt: Receipt::None,
        };
        let dead = transport.complete(&delivery, "", Completion::Dead(reason));
        self.connection.block_on(dead)
    }
}
