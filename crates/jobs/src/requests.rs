//! Requests: jobs that a server submits one by one while a visitor waits.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quick_cache::sync::Cache;
use tokio::sync::{Mutex, broadcast};
use tokio::time::{Instant, timeout};

use crate::kind::stop_grace;
use crate::producer::{record_of, verified};
use crate::record::{DeadLetter, GroupRecord, JobAddress};
use crate::transport::{Event, Interest, RawResult, Transport};
use crate::trust::Trust;
use crate::{Class, Connection, Digest, JobKind, JobsError, Notice, Payload as _};

/// Between two looks for a result, in case its announcement was lost.
const LOOK: Duration = Duration::from_secs(1);
/// How long the answer to whether there are workers is reused.
const WORKERS_CACHE: Duration = Duration::from_secs(2);
/// How long an answer to a poll may take.
const POLL_TIMEOUT: Duration = Duration::from_secs(3);
/// A job without progress for this long is no longer considered running.
const RUNNING_TTL: Duration = Duration::from_secs(5);
/// A job that has been out for this long is submitted again, in case the server lost it; the
/// server refuses it while it waits or runs.
const RESUBMIT_AFTER: Duration = Duration::from_secs(15);
/// Between two renewals of the group, which otherwise expires.
const REFRESH: Duration = Duration::from_secs(3600);
/// After this many false results a worker is asked to leave the group, and its results are refused:
/// a visitor sees each result, so one is enough.
const MAX_FALSE_RESULTS: u64 = 1;
/// After this many failed jobs a worker is asked to leave the group: it may be the worker that is
/// broken.
const MAX_FAILURES: u64 = 3;
/// Verified results that are remembered.
const MAX_VERIFIED: usize = 10_000;
/// Events that a request may have unread.
const EVENT_CAPACITY: usize = 1024;

/// The state of a requested job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobStatus<T> {
    /// It waits for a worker.
    Queued,
    /// It runs, with the number of nodes searched.
    Running(u64),
    /// It has a verified result.
    Done(T),
    /// A worker reports that it failed, for this reason. The report is dropped and not confirmed:
    /// compute it here.
    Failed(String),
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// No worker alive can run the job; it was withdrawn.
    #[error("there are no workers")]
    NoWorkers,
    /// A worker reports that the job failed; see [`JobStatus::Failed`].
    #[error("{0}")]
    Failed(String),
    /// The server refused a request.
    #[error(transparent)]
    Jobs(#[from] JobsError),
}

/// A group of jobs, each of which one caller waits for. Web servers that share a job server share
/// the group and its results.
pub struct Requests<K: JobKind> {
    transport: Arc<dyn Transport>,
    group: Arc<K::Group>,
    body: Vec<u8>,
    record: GroupRecord,
    events: broadcast::Sender<Event>,
    /// The last sign of life of running jobs, and their nodes.
    progress: Arc<Mutex<HashMap<Digest, (Instant, u64)>>>,
    /// When each open job was submitted last.
    submitted: Mutex<HashMap<Digest, Instant>>,
    /// When each open job was submitted first, and first seen to be with a worker.
    open: Mutex<HashMap<Digest, (Instant, Option<Instant>)>>,
    /// The sequences of results that were verified.
    verified: Cache<Digest, u64>,
    workers: Mutex<Seen>,
    trust: Mutex<Trust>,
    /// Workers that report failures.
    failures: Mutex<Trust>,
    refreshed: Mutex<Instant>,
    counts: Mutex<RequestCounts>,
    notice: Notice,
}

/// Counts of this server's jobs, for its metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
    /// Jobs submitted, also again.
    pub submitted: u64,
    /// Jobs that became dead letters.
    pub failed: u64,
    /// Results that were false and dropped.
    pub rejected: u64,
}

struct Seen {
    at: Option<Instant>,
    threads: usize,
}

impl<K: JobKind> Requests<K> {
    /// Opens the group.
    ///
    /// # Errors
    /// When the server refuses it.
    pub async fn begin(
        connection: &Connection,
        group: K::Group,
        command: &str,
        notice: Notice,
    ) -> Result<Self, JobsError> {
        let body = group.to_bytes();
        let record = record_of::<K>(&group, &body, command);
        let transport = Arc::clone(connection.transport());
        transport.open_group(&record, &body).await?;
        let (events, _) = broadcast::channel(EVENT_CAPACITY);
        let interest = Interest::Group(record.name.clone());
        let mut received = transport.events(interest).await?;
        let sender = events.clone();
        let progress: Arc<Mutex<HashMap<Digest, (Instant, u64)>>> = Arc::default();
        let running = Arc::clone(&progress);
        tokio::spawn(async move {
            while let Some(event) = received.recv().await {
                if let Event::Progress(key, nodes) = event {
                    let mut running = running.lock().await;
                    running.retain(|_, (at, _)| at.elapsed() < RUNNING_TTL);
                    running.insert(key, (Instant::now(), nodes));
                }
                // Without a request under way there is no one to tell.
                let _ = sender.send(event);
            }
        });
        Ok(Self {
            transport,
            group: Arc::new(group),
            body,
            record,
            events,
            progress,
            submitted: Mutex::default(),
            open: Mutex::default(),
            verified: Cache::new(MAX_VERIFIED),
            workers: Mutex::new(Seen {
                at: None,
                threads: 0,
            }),
            trust: Mutex::new(Trust::new(MAX_FALSE_RESULTS)),
            failures: Mutex::new(Trust::new(MAX_FAILURES)),
            refreshed: Mutex::new(Instant::now()),
            counts: Mutex::default(),
            notice,
        })
    }

    /// Returns how many jobs the workers alive run at once.
    pub async fn threads(&self) -> usize {
        let mut seen = self.workers.lock().await;
        if seen.at.is_none_or(|at| at.elapsed() > WORKERS_CACHE) {
            seen.at = Some(Instant::now());
            let workers = timeout(WORKERS_CACHE, self.transport.workers()).await;
            let workers = workers.ok().and_then(Result::ok).unwrap_or_default();
            let able = workers
                .iter()
                .filter(|worker| !worker.draining && worker.routes.contains(&self.record.route));
            seen.threads = able.map(|worker| worker.threads).sum();
        }
        seen.threads
    }

    /// Returns the counts of this server's jobs.
    pub async fn counts(&self) -> RequestCounts {
        *self.counts.lock().await
    }

    /// Asks for a job and waits for its verified result. `progress` is called with the nodes of a
    /// running job. Asking twice runs the job once.
    ///
    /// # Errors
    /// When there are no workers, the job failed, or the server refuses it.
    pub async fn ask(
        &self,
        job: &K::Job,
        class: Class,
        mut progress: impl FnMut(u64) + Send,
    ) -> Result<K::Output, AskError> {
        self.refresh().await?;
        let body = Bytes::from(job.to_bytes());
        let key = Digest::of(&body);
        let address = JobAddress {
            route: self.record.route,
            class,
            group: self.record.name.clone(),
            key,
        };
        let mut events = self.events.subscribe();
        let mut is_submitted = false;
        loop {
            if let Some(output) = self.find(key).await? {
                return Ok(output);
            }
            let group = &self.record.name;
            if is_submitted && let Some(letter) = self.transport.dead_letter(group, key).await? {
                self.drop_letter(&letter).await?;
                return Err(AskError::Failed(letter.reason));
            }
            if self.threads().await == 0 {
                self.withdraw(&[key]).await?;
                return Err(AskError::NoWorkers);
            }
            self.submit(&address, body.clone()).await?;
            is_submitted = true;
            wait_for(key, &mut events, &mut progress).await;
        }
    }

    /// Submits the jobs that are new and returns the states of all, in their order.
    ///
    /// # Errors
    /// When jobs wait and there are no workers, or the server does not answer in time.
    pub async fn poll(
        &self,
        jobs: &[(K::Job, Class)],
    ) -> Result<Vec<JobStatus<K::Output>>, AskError> {
        let polled = timeout(POLL_TIMEOUT, self.try_poll(jobs)).await;
        polled.unwrap_or_else(|_| {
            Err(AskError::Jobs(JobsError::TimedOut {
                server: self.transport.name().to_owned(),
                reason: "no answer".into(),
            }))
        })
    }

    async fn try_poll(
        &self,
        jobs: &[(K::Job, Class)],
    ) -> Result<Vec<JobStatus<K::Output>>, AskError> {
        self.refresh().await?;
        let group = &self.record.name;
        let has_workers = self.threads().await > 0;
        let mut states = Vec::with_capacity(jobs.len());
        let mut unwanted = Vec::new();
        for (job, class) in jobs {
            let body = Bytes::from(job.to_bytes());
            let key = Digest::of(&body);
            if let Some(output) = self.find(key).await? {
                states.push(JobStatus::Done(output));
            } else if let Some(letter) = self.transport.dead_letter(group, key).await? {
                self.drop_letter(&letter).await?;
                states.push(JobStatus::Failed(letter.reason));
            } else if has_workers {
                let address = JobAddress {
                    route: self.record.route,
                    class: *class,
                    group: group.clone(),
                    key,
                };
                self.submit(&address, body).await?;
                let progress = self.progress.lock().await;
                let running = progress.get(&key);
                let running = running.filter(|(at, _)| at.elapsed() < RUNNING_TTL);
                states.push(
                    running.map_or(JobStatus::Queued, |(_, nodes)| JobStatus::Running(*nodes)),
                );
            } else {
                unwanted.push(key);
            }
        }
        if !unwanted.is_empty() {
            self.withdraw(&unwanted).await?;
            return Err(AskError::NoWorkers);
        }
        Ok(states)
    }

    /// Submits a job, unless that was done a moment ago.
    async fn submit(&self, address: &JobAddress, body: Bytes) -> Result<(), JobsError> {
        let mut submitted = self.submitted.lock().await;
        submitted.retain(|_, at| at.elapsed() < RESUBMIT_AFTER);
        if submitted.contains_key(&address.key) {
            return Ok(());
        }
        self.end_overdue(address).await?;
        self.transport.submit_once(address, body).await?;
        submitted.insert(address.key, Instant::now());
        self.counts.lock().await.submitted += 1;
        Ok(())
    }

    /// Withdraws a job that a client holds beyond its time limit, so that another one runs it: a
    /// worker of papan would have ended it.
    async fn end_overdue(&self, address: &JobAddress) -> Result<(), JobsError> {
        let limit = K::time_limit(&self.group);
        let patience = limit + 2 * stop_grace(limit);
        let mut open = self.open.lock().await;
        open.retain(|_, (first, _)| first.elapsed() < 4 * patience);
        let (first, taken) = open
            .entry(address.key)
            .or_insert_with(|| (Instant::now(), None));
        // Most jobs are done before they are submitted again.
        if first.elapsed() < RESUBMIT_AFTER {
            return Ok(());
        }
        let is_taken = self.transport.taken(std::slice::from_ref(address)).await?;
        if is_taken != [true] {
            *taken = None;
            return Ok(());
        }
        let since = *taken.get_or_insert_with(Instant::now);
        if since.elapsed() <= patience {
            return Ok(());
        }
        open.remove(&address.key);
        self.notice.say(&format!(
            "job {} of {} runs again: a client has held it for {} s, longer than its time limit \
             of {} s",
            address.key.short(),
            address.group,
            since.elapsed().as_secs(),
            limit.as_secs()
        ));
        let keys = std::slice::from_ref(&address.key);
        self.transport.withdraw(&self.record, Some(keys)).await
    }

    async fn drop_letter(&self, letter: &DeadLetter) -> Result<(), JobsError> {
        self.transport.drop_dead_letter(letter).await?;
        self.submitted.lock().await.remove(&letter.key());
        self.counts.lock().await.failed += 1;
        let DeadLetter { worker, reason, .. } = letter;
        if self.failures.lock().await.count(worker, false) {
            let reason = format!("{MAX_FAILURES} jobs failed, the last one since {reason}");
            self.notice
                .say(&format!("worker {worker} is asked to leave: {reason}"));
            self.ask_to_leave(worker, reason).await?;
        }
        Ok(())
    }

    async fn withdraw(&self, keys: &[Digest]) -> Result<(), JobsError> {
        let mut submitted = self.submitted.lock().await;
        submitted.retain(|key, _| !keys.contains(key));
        self.transport.withdraw(&self.record, Some(keys)).await
    }

    /// The stored result of a job, if it is right; a false one is dropped.
    async fn find(&self, key: Digest) -> Result<Option<K::Output>, JobsError> {
        let Some(raw) = self.transport.result(&self.record.name, key).await? else {
            return Ok(None);
        };
        if self.trust.lock().await.is_distrusted(&raw.worker) {
            self.drop_result(&raw).await?;
            return Ok(None);
        }
        if self.verified.get(&key) == Some(raw.sequence)
            && let Ok(output) = K::Output::from_bytes(&raw.output)
        {
            return Ok(Some(output));
        }
        let (group, result) = (Arc::clone(&self.group), raw.clone());
        // It may run a part of the job again.
        let checked = tokio::task::spawn_blocking(move || verified::<K>(&group, &result)).await;
        match checked.unwrap_or_else(|_| Err("its check panicked".into())) {
            Ok((_, output)) => {
                self.verified.insert(key, raw.sequence);
                Ok(Some(output))
            }
            Err(reason) => {
                self.reject(&raw, reason).await?;
                Ok(None)
            }
        }
    }

    /// Drops a false result and distrusts its worker.
    async fn reject(&self, raw: &RawResult, reason: String) -> Result<(), JobsError> {
        self.notice.say(&format!(
            "a result of worker {} is false and was dropped: {reason} (job {} of {})",
            raw.worker,
            raw.key.short(),
            self.record.name
        ));
        self.trust.lock().await.count(&raw.worker, false);
        self.counts.lock().await.rejected += 1;
        self.drop_result(raw).await?;
        self.ask_to_leave(&raw.worker, reason).await
    }

    async fn ask_to_leave(&self, worker: &str, reason: String) -> Result<(), JobsError> {
        let event = Event::Distrusted {
            worker: worker.to_owned(),
            group: self.record.name.clone(),
            reason,
        };
        self.transport.notify(&self.record.name, event).await
    }

    async fn drop_result(&self, raw: &RawResult) -> Result<(), JobsError> {
        self.transport.reject(raw).await?;
        self.submitted.lock().await.remove(&raw.key);
        Ok(())
    }

    async fn refresh(&self) -> Result<(), JobsError> {
        let mut refreshed = self.refreshed.lock().await;
        let is_lost = matches!(self.transport.is_open(&self.record.name).await, Ok(false));
        if is_lost {
            self.submitted.lock().await.clear();
        }
        if is_lost || refreshed.elapsed() > REFRESH {
            self.transport.open_group(&self.record, &self.body).await?;
            *refreshed = Instant::now();
        }
        Ok(())
    }
}

/// Waits until a job has ended, or long enough to look.
async fn wait_for(
    key: Digest,
    events: &mut broadcast::Receiver<Event>,
    progress: &mut (dyn FnMut(u64) + Send),
) {
    let deadline = Instant::now() + LOOK;
    while let Ok(event) = tokio::time::timeout_at(deadline, events.recv()).await {
        match event {
            Ok(Event::Finished(ended)) if ended == key => return,
            Ok(Event::Progress(running, nodes)) if running == key => progress(nodes),
            Ok(_) => {}
            // Some were missed: look at once.
            Err(_) => return,
        }
    }
}
