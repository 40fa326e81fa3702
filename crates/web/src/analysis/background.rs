//! Deduplicated background jobs, with per-address limits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::analysis::in_flight::{InFlightGuard, InFlightJobs, JobKind};
use crate::http::rejection::Rejection;
use crate::wall_clock::WallClock;

/// Maximum number of jobs of one kind per address.
const MAX_PER_ADDRESS: usize = 4;
/// Maximum number of jobs of one kind.
const MAX_TOTAL: usize = 256;

/// Background jobs of one kind by subject; a subject has at most one job.
pub(crate) struct BackgroundJobs<T> {
    kind: JobKind,
    in_flight: Arc<InFlightJobs>,
    clock: Arc<dyn WallClock>,
    jobs: Mutex<HashMap<String, Job<T>>>,
}

struct Job<T> {
    job: Arc<T>,
    _in_flight: InFlightGuard,
}

/// A job that was started, or found.
pub(crate) enum Started<T> {
    /// The caller must run it.
    New(Arc<T>),
    /// Another request has started it.
    Existing(Arc<T>),
}

impl<T> BackgroundJobs<T> {
    pub(crate) fn new(
        kind: JobKind,
        in_flight: Arc<InFlightJobs>,
        clock: Arc<dyn WallClock>,
    ) -> Self {
        Self {
            kind,
            in_flight,
            clock,
            jobs: Mutex::default(),
        }
    }

    /// Returns the job of a subject.
    pub(crate) fn find(&self, subject: &str) -> Option<Arc<T>> {
        let jobs = self.jobs.lock();
        jobs.get(subject).map(|entry| Arc::clone(&entry.job))
    }

    /// Registers a job, unless its subject has one.
    ///
    /// # Errors
    /// If the client, or all clients together, have too many jobs in flight.
    pub(crate) fn start(
        &self,
        subject: &str,
        client: IpAddr,
        job: T,
    ) -> Result<Started<T>, Rejection> {
        let mut jobs = self.jobs.lock();
        if let Some(entry) = jobs.get(subject) {
            return Ok(Started::Existing(Arc::clone(&entry.job)));
        }
        if jobs.len() >= MAX_TOTAL {
            return Err(Rejection::Busy);
        }
        let now = self.clock.now();
        let guard = self
            .in_flight
            .acquire(self.kind, client, MAX_PER_ADDRESS, now)
            .ok_or(Rejection::TooManyJobs {
                limit: MAX_PER_ADDRESS,
            })?;
        let job = Arc::new(job);
        let entry = Job {
            job: Arc::clone(&job),
            _in_flight: guard,
        };
        jobs.insert(subject.into(), entry);
        Ok(Started::New(job))
    }

    /// Returns the number of a client's jobs on this server.
    pub(crate) fn count(&self, client: IpAddr) -> usize {
        self.in_flight.count(self.kind, client)
    }

    /// Removes the job of a subject.
    pub(crate) fn finish(&self, subject: &str) {
        self.jobs.lock().remove(subject);
    }

    /// Returns all jobs.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        let jobs = self.jobs.lock();
        jobs.values().map(|entry| Arc::clone(&entry.job)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_strategies::ManualClock;

    #[test]
    fn a_client_has_a_few_jobs_in_flight_and_a_subject_one() {
        let in_flight = Arc::new(InFlightJobs::default());
        let clock = Arc::new(ManualClock::default());
        let jobs = BackgroundJobs::new(JobKind::Review, in_flight, clock);
        let (a, b) = ([127, 0, 0, 1].into(), [127, 0, 0, 2].into());
        let is_new = |started: Result<Started<()>, Rejection>| match started {
            Ok(Started::New(_)) => Some(true),
            Ok(Started::Existing(_)) => Some(false),
            Err(_) => None,
        };
        for number in 0..MAX_PER_ADDRESS {
            assert_eq!(is_new(jobs.start(&number.to_string(), a, ())), Some(true));
        }
        assert!(matches!(
            jobs.start("more", a, ()),
            Err(Rejection::TooManyJobs {
                limit: MAX_PER_ADDRESS
            })
        ));
        assert_eq!(is_new(jobs.start("0", a, ())), Some(false));
        assert_eq!(is_new(jobs.start("more", b, ())), Some(true));
        assert_eq!((jobs.count(a), jobs.count(b)), (MAX_PER_ADDRESS, 1));
        jobs.finish("0");
        assert!(jobs.find("0").is_none());
        assert_eq!(is_new(jobs.start("another", a, ())), Some(true));
    }
}
