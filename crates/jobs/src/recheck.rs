//! Rechecking: the first result of each worker, and a random sample of the others, are computed again
//! by the coordinator.
//!
//! Verification sees that a result is possible; for deterministic jobs this sees that it is the
//! right one. The other results of a worker wait until its first one agrees. The sample is drawn with a
//! seed that workers do not know.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use papan_strategies::Watch;

use crate::transport::RawResult;
use crate::{Digest, JobKind};

/// Searches are deep.
const STACK_BYTES: usize = 16 << 20;

/// A result that was verified.
pub(crate) struct Sample<K: JobKind> {
    pub(crate) result: RawResult,
    pub(crate) job: K::Job,
    pub(crate) output: K::Output,
}

/// A sample that was computed again, and why it is false, if it is.
type Rechecked<K> = (Sample<K>, Result<(), String>);

/// A thread that computes samples again.
pub(crate) struct Recheck<K: JobKind> {
    fraction: f64,
    random: RandomState,
    drawn: u64,
    samples: Sender<Sample<K>>,
    rechecked: Receiver<Rechecked<K>>,
    /// The results of each worker that wait for its first one; `None` once that agreed.
    held: HashMap<String, Option<Vec<Sample<K>>>>,
    /// Results that are computed again or wait.
    pending: HashSet<Digest>,
}

impl<K: JobKind> Recheck<K> {
    pub(crate) fn start(group: &Arc<K::Group>, fraction: f64) -> Self {
        let (samples, received) = channel::<Sample<K>>();
        let (send, rechecked) = channel();
        let group = Arc::clone(group);
        let run = move || {
            let mut session: Option<K::Session> = None;
            while let Ok(sample) = received.recv() {
                let work = AssertUnwindSafe(|| compare::<K>(&group, &mut session, &sample));
                let verdict = catch_unwind(work).unwrap_or_else(|_| {
                    session = None;
                    // A bug here is not the worker's fault.
                    Ok(())
                });
                if send.send((sample, verdict)).is_err() {
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
            held: HashMap::new(),
            pending: HashSet::new(),
        }
    }

    /// Draws whether the next result is in the sample.
    fn is_chosen(&mut self) -> bool {
        self.drawn += 1;
        let random = self.random.hash_one(self.drawn) >> 32;
        (random as f64) < self.fraction * f64::from(u32::MAX)
    }

    /// Whether a result is computed again or waits.
    pub(crate) fn has(&self, key: Digest) -> bool {
        self.pending.contains(&key)
    }

    /// Takes a result that has to be computed again or to wait. Returns any other.
    pub(crate) fn sift(&mut self, sample: Sample<K>) -> Option<Sample<K>> {
        let Sample { result, .. } = &sample;
        let (key, worker) = (result.key, result.worker.clone());
        let is_chosen = self.is_chosen();
        match self.held.get_mut(&worker) {
            None => {
                self.held.insert(worker, Some(Vec::new()));
                self.submit(sample);
            }
            Some(Some(waiting)) => waiting.push(sample),
            Some(None) if is_chosen => self.submit(sample),
            Some(None) => return Some(sample),
        }
        self.pending.insert(key);
        None
    }

    fn submit(&self, sample: Sample<K>) {
        let sent = self.samples.send(sample);
        assert!(
            sent.is_ok(),
            "the thread catches panics and outlives its sender"
        );
    }

    /// Returns the results that were computed again.
    pub(crate) fn finished(&mut self) -> Vec<Rechecked<K>> {
        let finished: Vec<Rechecked<K>> = self.rechecked.try_iter().collect();
        for (sample, _) in &finished {
            self.pending.remove(&sample.result.key);
        }
        finished
    }

    /// Returns the results of a worker that waited for its first one.
    pub(crate) fn release(&mut self, worker: &str) -> Vec<Sample<K>> {
        let waiting = self.held.get_mut(worker).and_then(Option::take);
        let waiting = waiting.unwrap_or_default();
        for sample in &waiting {
            self.pending.remove(&sample.result.key);
        }
        waiting
    }
}

fn compare<K: JobKind>(
    group: &K::Group,
    session: &mut Option<K::Session>,
    sample: &Sample<K>,
) -> Result<(), String> {
    let session = match session {
        Some(session) => session,
        None => match K::start(group) {
            Ok(started) => session.insert(started),
            // A coordinator without an engine cannot recheck, and rejects nothing.
            Err(_) => return Ok(()),
        },
    };
    match K::run(session, &sample.job, &Arc::new(Watch::default())) {
        Ok(own) if !K::agree(&own, &sample.output) => {
            Err("computed again, it is another one".into())
        }
        _ => Ok(()),
    }
}
