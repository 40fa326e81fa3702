//! Remote workers: reviews and proofs as jobs of `papan-jobs`.
//!
//! While workers are connected, reviews and proofs are theirs and the server polls the results;
//! otherwise, also while the job server is away, the server computes itself.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use papan_analysis::job::{Analyses, AnalysisGroup, AnalysisJob};
use papan_jobs::{
    AskError, Connection, JobStatus, JobsAddress, JobsError, Notice, RequestCounts, Requests,
};

/// Interval between two polls of the jobs.
pub(crate) const POLL: Duration = Duration::from_millis(500);
/// Interval between two attempts to connect at the start.
const RECONNECT: Duration = Duration::from_secs(5);

/// The state of a job; results are JSON.
#[derive(Clone, Debug)]
pub(crate) enum RemoteStatus {
    /// It is queued.
    Queued,
    /// It runs, with the number of nodes searched.
    Running(u64),
    /// A worker reports that it failed, which is not believed.
    Failed,
    /// It is done, with the verified result as JSON.
    Done(Vec<u8>),
}

/// The result of a poll.
pub(crate) enum Poll {
    /// The states of the jobs, in their order.
    Status(Vec<RemoteStatus>),
    /// There are no workers, or the job server is away: the server computes itself.
    NoWorkers,
}

/// Workers, and the counts of this server's jobs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RemoteMetrics {
    /// Jobs that the workers alive run at once.
    pub(crate) threads: usize,
    /// The jobs.
    pub(crate) counts: RequestCounts,
}

/// Workers of a job server.
pub(crate) struct RemoteWorkers {
    /// Set once the job server has been reached.
    requests: Arc<OnceLock<Requests<Analyses>>>,
}

impl RemoteWorkers {
    /// Connects in the background, so that a server starts without its job server.
    pub(crate) fn connect(address: JobsAddress) -> Self {
        let requests = Arc::new(OnceLock::new());
        let slot = Arc::clone(&requests);
        tokio::spawn(async move {
            loop {
                match open(&address).await {
                    Ok(opened) => {
                        // This task is the only one that sets it.
                        let _ = slot.set(opened);
                        return;
                    }
                    Err(error) => tracing::warn!(%error, "job server"),
                }
                tokio::time::sleep(RECONNECT).await;
            }
        });
        Self { requests }
    }

    /// Returns the metrics; zeros before the job server is reached.
    pub(crate) async fn metrics(&self) -> RemoteMetrics {
        let Some(requests) = self.requests.get() else {
            return RemoteMetrics::default();
        };
        RemoteMetrics {
            threads: requests.threads().await,
            counts: requests.counts().await,
        }
    }

    /// Submits the jobs that are new and returns the states of all.
    pub(crate) async fn poll(&self, jobs: &[AnalysisJob]) -> Poll {
        let Some(requests) = self.requests.get() else {
            return Poll::NoWorkers;
        };
        let jobs: Vec<_> = jobs.iter().map(|job| (job.clone(), job.class())).collect();
        match requests.poll(&jobs).await {
            Ok(states) => Poll::Status(states.into_iter().map(status).collect()),
            Err(AskError::NoWorkers) => Poll::NoWorkers,
            Err(error) => {
                tracing::warn!(%error, "job server");
                Poll::NoWorkers
            }
        }
    }
}

fn status(state: JobStatus<papan_analysis::job::AnalysisOutput>) -> RemoteStatus {
    match state {
        JobStatus::Queued => RemoteStatus::Queued,
        JobStatus::Running(nodes) => RemoteStatus::Running(nodes),
        JobStatus::Done(output) => RemoteStatus::Done(output.0),
        JobStatus::Failed(reason) => {
            tracing::warn!(%reason, "an analysis failed on a worker and is computed here");
            RemoteStatus::Failed
        }
    }
}

async fn open(address: &JobsAddress) -> Result<Requests<Analyses>, JobsError> {
    let notice = Notice::new(|line| tracing::warn!("{line}"));
    let connection = Connection::connect(address, notice.clone()).await?;
    Requests::begin(&connection, AnalysisGroup::default(), "papan serve", notice).await
}
