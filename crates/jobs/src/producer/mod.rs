//! Producers: they open a group, submit its jobs and read verified results.

mod doubts;
mod failures;
mod results;
mod upkeep;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};

use crate::kind::route_of;
use crate::recheck::Recheck;
use crate::record::{BlobRecord, GroupRecord, JobAddress, unix_seconds};
use crate::transport::{RawResult, ReadResults};
use crate::trust::Trust;
use crate::{Class, Connection, Digest, JobKind, JobsError, Notice, Payload as _};
use doubts::Doubts;
use upkeep::Status;

/// Jobs for each thread of each worker: one that it runs, and some that wait.
const JOBS_PER_THREAD: usize = 3;
/// Jobs that are out at least, for workers that come.
const MIN_IN_FLIGHT: usize = 8;
/// A job that has been out for this long is submitted again, in case the server lost it; the
/// server refuses it while it waits or runs.
const RESUBMIT_AFTER: Duration = Duration::from_secs(30);
/// The same for a job whose result was rejected.
const RESUBMIT_REJECTED_AFTER: Duration = Duration::from_secs(1);
/// Before a group is opened again after an error.
const RECOVERY_DELAY: Duration = Duration::from_millis(200);
/// Submissions that wait for the server at once.
const SUBMIT_CONCURRENCY: usize = 256;
/// After this many false results a worker is asked to leave the group, and its results are refused.
const MAX_FALSE_RESULTS: u64 = 3;

/// A verified result.
pub struct Finished<K: JobKind> {
    /// The key of the job.
    pub key: Digest,
    /// The job.
    pub job: K::Job,
    /// Its result.
    pub output: K::Output,
    /// The worker that ran it.
    pub worker: String,
}

/// A group of jobs, seen by the coordinator that wants the results. Its methods block.
///
/// A coordinator that crashes and begins the same group again receives all results that workers
/// stored meanwhile, and may submit any job again.
pub struct Producer<K: JobKind> {
    connection: Connection,
    group: Arc<K::Group>,
    body: Vec<u8>,
    record: GroupRecord,
    results: Box<dyn ReadResults>,
    outstanding: HashMap<Digest, Outstanding>,
    delivered: HashSet<Digest>,
    trust: Trust,
    doubts: Doubts,
    failures: Doubts,
    recheck: Option<Recheck<K>>,
    status: Status,
    refreshed: Instant,
    notice: Notice,
}

struct Outstanding {
    class: Class,
    body: Bytes,
    /// When it is submitted again.
    resubmit: Instant,
    /// When it was first seen to be with a worker.
    taken: Option<Instant>,
    /// How often it was taken from a worker that neither ended it nor gave it back.
    restarts: u32,
    /// Whether this producer has given it up.
    has_failed: bool,
}

impl Outstanding {
    fn new(class: Class, body: Bytes, resubmit: Instant) -> Self {
        Self {
            class,
            body,
            resubmit,
            taken: None,
            restarts: 0,
            has_failed: false,
        }
    }
}

/// The record of a group as it is opened.
pub(crate) fn record_of<K: JobKind>(group: &K::Group, body: &[u8], command: &str) -> GroupRecord {
    let route = route_of::<K>(group);
    let body_digest = Digest::of(body);
    let name = Digest::of(format!("{route} {body_digest}").as_bytes());
    GroupRecord {
        name: format!("{}-{}", K::NAME, name.short()),
        kind: K::NAME.into(),
        route,
        needs: K::requirements(group),
        classes: K::CLASSES.to_vec(),
        interactive: K::INTERACTIVE,
        command: command.into(),
        opened: unix_seconds(),
        body: BlobRecord::of(body),
    }
}

/// Reads a result and verifies it.
///
/// # Errors
/// With the reason why it is false.
pub(crate) fn verified<K: JobKind>(
    group: &K::Group,
    raw: &RawResult,
) -> Result<(K::Job, K::Output), String> {
    if Digest::of(&raw.job) != raw.key {
        return Err("it does not belong to its job".into());
    }
    let job = K::Job::from_bytes(&raw.job)?;
    let output = K::Output::from_bytes(&raw.output)?;
    K::verify(group, &job, &output)?;
    Ok((job, output))
}

impl<K: JobKind> Producer<K> {
    /// Opens a group, or continues one: the same group of the same version has the same name.
    /// `command` is shown in lists.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn begin(
        connection: &Connection,
        group: K::Group,
        command: &str,
        notice: Notice,
    ) -> Result<Self, JobsError> {
        let body = group.to_bytes();
        let record = record_of::<K>(&group, &body, command);
        let transport = connection.transport();
        connection.block_on(transport.open_group(&record, &body))?;
        let letters = connection.block_on(transport.dead_letters(Some(&record.name)))?;
        Ok(Self {
            results: transport.results(&record.name),
            connection: connection.clone(),
            group: Arc::new(group),
            body,
            record,
            outstanding: HashMap::new(),
            delivered: HashSet::new(),
            trust: Trust::new(MAX_FALSE_RESULTS),
            doubts: Doubts::default(),
            failures: Doubts::default(),
            recheck: None,
            status: Status::new(letters),
            refreshed: Instant::now(),
            notice,
        })
    }

    /// Runs the first job of each worker and a fraction of the others again here, and rejects results
    /// that differ. No result of a worker is returned before its first one agrees. Does nothing
    /// for groups whose results cannot be reproduced.
    #[must_use]
    pub fn with_recheck(mut self, fraction: f64) -> Self {
        if fraction > 0.0 && K::is_deterministic(&self.group) {
            self.recheck = Some(Recheck::start(&self.group, fraction));
        }
        self
    }

    /// Returns the name of the group.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// Submits jobs of the least urgent class of the kind. A job that is queued or running
    /// already is not queued twice; one that failed before it was submitted runs again.
    ///
    /// # Errors
    /// When the server refuses them. While it is away, this waits.
    pub fn submit(&mut self, jobs: &[K::Job]) -> Result<(), JobsError> {
        let class = K::CLASSES.iter().copied().max().unwrap_or(Class::Bulk);
        let now = Instant::now();
        let mut new = Vec::new();
        for job in jobs {
            let body = Bytes::from(job.to_bytes());
            let key = Digest::of(&body);
            if self.delivered.contains(&key) {
                continue;
            }
            // One that failed before.
            if !self.outstanding.contains_key(&key)
                && let Some(letter) = self.status.dead.remove(&key)
            {
                let transport = self.connection.transport();
                self.connection
                    .block_on(transport.drop_dead_letter(&letter))?;
            }
            let resubmit = now + self.resubmit_after();
            let outstanding = Outstanding::new(class, body.clone(), resubmit);
            self.outstanding.insert(key, outstanding);
            new.push((self.address(class, key), body));
        }
        self.send(new)
    }

    fn address(&self, class: Class, key: Digest) -> JobAddress {
        JobAddress {
            route: self.record.route,
            class,
            group: self.record.name.clone(),
            key,
        }
    }

    fn send(&self, jobs: Vec<(JobAddress, Bytes)>) -> Result<(), JobsError> {
        let transport = self.connection.transport();
        let sending = futures_util::stream::iter(jobs)
            .map(|(address, body)| async move { transport.submit(&address, body).await })
            .buffer_unordered(SUBMIT_CONCURRENCY)
            .try_collect::<Vec<()>>();
        self.connection.block_on(sending)?;
        Ok(())
    }

    /// A job that is still out after this time is looked at.
    fn resubmit_after(&self) -> Duration {
        RESUBMIT_AFTER.min(K::time_limit(&self.group))
    }

    /// Returns the number of submitted jobs that have neither a result nor failed.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        let keys = self.outstanding.keys();
        keys.filter(|key| !self.status.dead.contains_key(*key) && !self.is_rechecked(**key))
            .count()
    }

    /// Returns how many jobs should be in flight to keep all workers busy.
    pub fn target_in_flight(&mut self) -> usize {
        // A failure here is temporary; the next call tries again.
        let _ = self.read_status();
        (self.status.threads * JOBS_PER_THREAD).max(MIN_IN_FLIGHT)
    }

    /// Waits up to `wait` for results and returns those that verify, in the order in which they
    /// were stored. A false result is dropped, its worker is named, and its job runs again; after
    /// several of them all results of the worker are dropped.
    ///
    /// # Errors
    /// When the server refuses to be read, or all jobs that are out have failed. While the server
    /// is away, this waits.
    pub fn results(&mut self, wait: Duration) -> Result<Vec<Finished<K>>, JobsError> {
        self.tend()?;
        let mut finished = self.take_rechecked()?;
        let wait = if finished.is_empty() {
            wait
        } else {
            Duration::ZERO
        };
        let raw = match self.connection.block_on(self.results.next(wait)) {
            Err(error) if error.is_temporary() => {
                self.recover()?;
                return Ok(finished);
            }
            read => read?,
        };
        for result in raw {
            finished.extend(self.enter(result)?);
        }
        finished.extend(self.take_rechecked()?);
        if finished.is_empty() {
            self.status.check_progress()?;
        }
        Ok(finished)
    }

    /// Opens the group again after the server was away, in case it lost everything, and reads the
    /// results from the first. Waits until the server is back.
    fn recover(&mut self) -> Result<(), JobsError> {
        std::thread::sleep(RECOVERY_DELAY);
        let transport = self.connection.transport();
        let opened = transport.open_group(&self.record, &self.body);
        self.connection.block_on(opened)?;
        self.results = transport.results(&self.record.name);
        let now = Instant::now();
        for outstanding in self.outstanding.values_mut() {
            outstanding.resubmit = outstanding.resubmit.min(now + RESUBMIT_REJECTED_AFTER);
        }
        Ok(())
    }

    /// Returns how many results of each worker were false.
    #[must_use]
    pub fn false_results(&self) -> &HashMap<String, u64> {
        self.trust.false_results()
    }

    /// Withdraws jobs that are no longer wanted; those that run are stopped.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn withdraw(&mut self, jobs: &[K::Job]) -> Result<(), JobsError> {
        let keys = jobs.iter().map(|job| Digest::of(&job.to_bytes()));
        self.withdraw_keys(&keys.collect::<Vec<_>>())
    }

    /// Withdraws all jobs without a result; those that run are stopped. Results that are stored
    /// stay for the next coordinator of the group.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn withdraw_all(&mut self) -> Result<(), JobsError> {
        let keys: Vec<Digest> = self.outstanding.keys().copied().collect();
        self.withdraw_keys(&keys)
    }

    fn withdraw_keys(&mut self, keys: &[Digest]) -> Result<(), JobsError> {
        for key in keys {
            self.outstanding.remove(key);
        }
        let transport = self.connection.transport();
        self.connection
            .block_on(transport.withdraw(&self.record, Some(keys)))
    }

    /// Withdraws all jobs that wait. Those that run end, and their results count.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn withdraw_waiting(&mut self) -> Result<(), JobsError> {
        self.outstanding.clear();
        let transport = self.connection.transport();
        self.connection
            .block_on(transport.withdraw(&self.record, None))
    }

    /// Closes the group: waiting jobs are removed, running ones stopped, stored results deleted.
    /// Call it once the results are safe elsewhere.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn end(self) -> Result<(), JobsError> {
        let transport = self.connection.transport();
        self.connection
            .block_on(transport.close_group(&self.record))
    }
}
