//! Remote workers: analysis jobs through the queue in the shared database.
//!
//! All use of the queue is in this file. While workers are connected, reviews and proofs are
//! theirs and the server polls the results; otherwise the server computes itself.

use std::time::Duration;

use papan_store::{GameStore, JobStanding, Key, NewJob, Queue, StoreError, Undertaking};

use crate::analysis::job::AnalysisJob;
use crate::settings::Settings;

/// Interval between two polls of the queue.
pub(crate) const POLL: Duration = Duration::from_millis(500);
/// Results are kept for this many seconds, for other servers and repeated requests.
const KEEP_RESULTS: u32 = 3600;
/// Base priority: above tournaments, because a client waits.
const INTERACTIVE_PRIORITY: i64 = 1_000_000;

/// A job for workers.
pub(crate) struct RemoteJob(NewJob);

impl RemoteJob {
    /// Creates a job; lower ranks run first.
    pub(crate) fn new(job: &AnalysisJob, rank: usize) -> Self {
        let rank = i64::try_from(rank).unwrap_or(INTERACTIVE_PRIORITY);
        Self(NewJob {
            body: job.to_json(),
            priority: INTERACTIVE_PRIORITY - rank,
        })
    }
}

/// The state of a job.
#[derive(Clone, Debug)]
pub(crate) enum RemoteStatus {
    /// It is queued.
    Queued,
    /// It runs, with the number of nodes searched.
    Running(u64),
    /// It cannot be computed.
    Failed,
    /// It is done, with the result as JSON.
    Done(Vec<u8>),
}

impl From<JobStanding> for RemoteStatus {
    fn from(standing: JobStanding) -> Self {
        match standing {
            JobStanding::Waiting => Self::Queued,
            JobStanding::Running(nodes) => Self::Running(nodes),
            JobStanding::Failed(_) => Self::Failed,
            JobStanding::Done(result) => Self::Done(result),
        }
    }
}

/// The result of a poll.
pub(crate) enum Poll {
    /// The states of the jobs, in their order.
    Status(Vec<RemoteStatus>),
    /// The database is unavailable; poll again.
    Unavailable,
    /// There are no workers: the server computes itself.
    NoWorkers,
}

/// Workers on the same database.
pub(crate) struct RemoteWorkers {
    queue: Queue,
    group: Undertaking,
}

impl RemoteWorkers {
    /// Connects to the queue. Returns `None` unless the database is shared and the version
    /// that workers need is known.
    pub(crate) fn new(settings: &Settings, store: &dyn GameStore) -> Option<Self> {
        let version = settings.reproduced_by.clone()?;
        Some(Self {
            queue: store.queue()?,
            group: Undertaking {
                name: format!("studies of {version}"),
                kind: AnalysisJob::KIND.into(),
                needs: version,
                body: String::new(),
            },
        })
    }

    /// Submits the jobs that are new and returns the states of all.
    pub(crate) async fn poll(&self, jobs: &[RemoteJob]) -> Poll {
        match self.try_poll(jobs).await {
            Ok(Some(standings)) => Poll::Status(standings.into_iter().map(Into::into).collect()),
            Ok(None) => Poll::NoWorkers,
            Err(StoreError::Away { .. }) => Poll::Unavailable,
            Err(error) => {
                tracing::error!(%error, "job queue error");
                Poll::NoWorkers
            }
        }
    }

    async fn try_poll(&self, jobs: &[RemoteJob]) -> Result<Option<Vec<JobStanding>>, StoreError> {
        let Undertaking { name, needs, .. } = &self.group;
        let keys: Vec<Key> = jobs.iter().map(|job| job.0.key()).collect();
        let standings = self.queue.standings(name, &keys).await?;
        let is_open =
            |standing: &Option<JobStanding>| matches!(standing, None | Some(JobStanding::Waiting));
        if standings.iter().any(is_open) && !self.queue.has_workers(name, needs).await? {
            self.queue.take_back(name, &keys).await?;
            return Ok(None);
        }
        let new: Vec<NewJob> = jobs
            .iter()
            .zip(&standings)
            .filter(|(_, standing)| standing.is_none())
            .map(|(job, _)| job.0.clone())
            .collect();
        if !new.is_empty() {
            self.queue.begin(&self.group).await?;
            self.queue.post(name, &new).await?;
        }
        let or_waiting = |standing: Option<JobStanding>| standing.unwrap_or(JobStanding::Waiting);
        Ok(Some(standings.into_iter().map(or_waiting).collect()))
    }

    /// Deletes old results; the reviews and proofs have their own copies.
    pub(crate) async fn delete_old(&self) {
        let kind = AnalysisJob::KIND;
        if let Err(error) = self.queue.forget_ended(kind, KEEP_RESULTS).await {
            tracing::error!(%error, "job queue error");
        }
    }
}
