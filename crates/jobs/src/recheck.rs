//! Rechecking: a random sample of results is computed again by the coordinator.
//!
//! Verification sees that a result is possible; for deterministic jobs this sees that it is the
//! right one. The sample is drawn with a seed that workers do not know.

use std::hash::{BuildHasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use papan_strategies::Watch;

use crate::JobKind;
use crate::transport::RawResult;

/// Searches are deep.
const STACK_BYTES: usize = 16 << 20;

/// A result that was verified and is to be computed again.
struct Sample<K: JobKind> {
    result: RawResult,
    job: K::Job,
    output: K::Output,
}

/// A result that was computed again.
pub(crate) struct Rechecked<K: JobKind> {
    pub(crate) result: RawResult,
    pub(crate) job: K::Job,
    pub(crate) output: K::Output,
    /// Why it is false, if it is.
    pub(crate) verdict: Result<(), String>,
}

/// A thread that computes samples again.
pub(crate) struct Recheck<K: JobKind> {
    fraction: f64,
    random: RandomState,
    drawn: u64,
    samples: Sender<Sample<K>>,
    rechecked: Receiver<Rechecked<K>>,
}

impl<K: JobKind> Recheck<K> {
    pub(crate) fn start(group: &Arc<K::Group>, fraction: f64) -> Self {
        let (samples, received) = channel::<Sample<K>>();
        let (send, rechecked) = channel();
        let group = Arc::clone(group);
        let run = move || {
            let mut session: Option<K::Session> = None;
            while let Ok(sample) = received.recv() {
                let Sample {
                    result,
                    job,
                    output,
                } = sample;
                let work = AssertUnwindSafe(|| compare::<K>(&group, &mut session, &job, &output));
                let verdict = catch_unwind(work).unwrap_or_else(|_| {
                    session = None;
                    // A bug here is not the worker's fault.
                    Ok(())
                });
                let rechecked = Rechecked {
                    result,
                    job,
                    output,
                    verdict,
                };
                if send.send(rechecked).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name("recheck".into())
            .stack_size(STACK_BYTES)
            .spawn(run)
            .expect("a coordinator can start one thread");
        Self {
            fraction,
            random: RandomState::new(),
            drawn: 0,
            samples,
            rechecked,
        }
    }

    /// Draws whether the next result is in the sample.
    pub(crate) fn is_chosen(&mut self) -> bool {
        self.drawn += 1;
        let random = self.random.hash_one(self.drawn) >> 32;
        (random as f64) < self.fraction * f64::from(u32::MAX)
    }

    pub(crate) fn submit(&mut self, result: RawResult, job: K::Job, output: K::Output) {
        let sample = Sample {
            result,
            job,
            output,
        };
        let sent = self.samples.send(sample);
        assert!(
            sent.is_ok(),
            "the thread catches panics and outlives its sender"
        );
    }

    pub(crate) fn finished(&mut self, wait: Duration) -> Vec<Rechecked<K>> {
        let first = if wait.is_zero() {
            self.rechecked.try_recv().ok()
        } else {
            self.rechecked.recv_timeout(wait).ok()
        };
        first.into_iter().chain(self.rechecked.try_iter()).collect()
    }
}

fn compare<K: JobKind>(
    group: &K::Group,
    session: &mut Option<K::Session>,
    job: &K::Job,
    output: &K::Output,
) -> Result<(), String> {
    let session = match session {
        Some(session) => session,
        None => match K::start(group) {
            Ok(started) => session.insert(started),
            // A coordinator without an engine cannot recheck, and rejects nothing.
            Err(_) => return Ok(()),
        },
    };
    match K::run(session, job, &Arc::new(Watch::default())) {
        Ok(own) if !K::agree(&own, output) => Err("computed again, it is another one".into()),
        _ => Ok(()),
    }
}
