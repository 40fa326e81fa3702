//! Results of workers: verified, confirmed, computed again, and rejected.

use std::sync::Arc;
use std::time::Instant;

use super::doubts::{Claim, Verdict};
use super::{Finished, Outstanding, Producer, RESUBMIT_REJECTED_AFTER, verified};
use crate::recheck::Sample;
use crate::transport::{Event, RawResult};
use crate::{Class, Digest, JobKind, JobsError};

impl<K: JobKind> Producer<K> {
    /// Verifies a result and returns it if it counts by now.
    pub(super) fn enter(&mut self, result: RawResult) -> Result<Option<Finished<K>>, JobsError> {
        // After an outage results are read from the first.
        if self.delivered.contains(&result.key) || self.is_rechecked(result.key) {
            return Ok(None);
        }
        if self.trust.is_distrusted(&result.worker) {
            self.run_again(&result)?;
            return Ok(None);
        }
        let (job, output) = match verified::<K>(&self.group, &result) {
            Ok(verified) => verified,
            Err(reason) => {
                self.reject(&result, &reason, false)?;
                return Ok(None);
            }
        };
        if !self.is_confirmed(&result, &output) {
            self.run_again(&result)?;
            return Ok(None);
        }
        let sample = Sample {
            result,
            job,
            output,
        };
        let sample = match &mut self.recheck {
            Some(recheck) => recheck.sift(sample),
            None => Some(sample),
        };
        sample.map(|sample| self.deliver(sample)).transpose()
    }

    /// Whether a job has a result that is computed again or waits for another one.
    pub(super) fn is_rechecked(&self, key: Digest) -> bool {
        let recheck = self.recheck.as_ref();
        recheck.is_some_and(|recheck| recheck.has(key))
    }

    /// Returns how many other trusted workers can run the jobs.
    pub(super) fn others(&self, worker: &str) -> usize {
        let workers = self.status.workers.iter();
        let others =
            workers.filter(|other| other.name != worker && !self.trust.is_distrusted(&other.name));
        others.count()
    }

    /// Returns whether a verified result counts. One that rests on what only its worker saw has to
    /// be seen again.
    fn is_confirmed(&mut self, result: &RawResult, output: &K::Output) -> bool {
        let Some(reason) = K::doubt(&self.group, output) else {
            if let Some((workers, reason)) = self.doubts.resolve(result.key) {
                self.notice.say(&format!(
                    "worker {} reported that {reason}; run again by worker {}, the job ended \
                     without that (job {} of {})",
                    workers.join(", "),
                    result.worker,
                    result.key.short(),
                    self.record.name
                ));
            }
            return true;
        };
        let claim = Claim {
            key: result.key,
            worker: &result.worker,
            sequence: result.sequence,
            reason: &reason,
        };
        let wanted = 1 + self.others(&result.worker).min(1);
        self.doubts.enter(claim, wanted) == Verdict::Confirmed
    }

    fn deliver(&mut self, sample: Sample<K>) -> Result<Finished<K>, JobsError> {
        let Sample {
            result,
            job,
            output,
        } = sample;
        self.outstanding.remove(&result.key);
        self.delivered.insert(result.key);
        self.resolve_failure(result.key, &result.worker)?;
        Ok(Finished {
            key: result.key,
            job,
            output,
            worker: result.worker,
        })
    }

    /// Returns results that were computed again and are right, with those that waited for them.
    pub(super) fn take_rechecked(&mut self) -> Result<Vec<Finished<K>>, JobsError> {
        let Some(recheck) = &mut self.recheck else {
            return Ok(Vec::new());
        };
        let mut finished = Vec::new();
        for (sample, verdict) in recheck.finished() {
            let worker = sample.result.worker.clone();
            match verdict {
                Ok(()) => finished.push(self.deliver(sample)?),
                // One is enough: here nothing but the worker can be wrong.
                Err(reason) => self.reject(&sample.result, &reason, true)?,
            }
            let recheck = self.recheck.as_mut();
            for held in recheck.map_or_else(Vec::new, |recheck| recheck.release(&worker)) {
                if self.trust.is_distrusted(&worker) {
                    self.run_again(&held.result)?;
                } else {
                    finished.push(self.deliver(held)?);
                }
            }
        }
        Ok(finished)
    }

    /// Drops a false result and runs its job again.
    fn reject(
        &mut self,
        result: &RawResult,
        reason: &str,
        is_proven: bool,
    ) -> Result<(), JobsError> {
        let worker = &result.worker;
        self.notice.say(&format!(
            "a result of worker {worker} is false and was dropped: {reason} (job {} of {})",
            result.key.short(),
            self.record.name
        ));
        self.count_false(worker, reason, is_proven)?;
        self.run_again(result)
    }

    /// Counts a false result. After some of them the worker is asked to leave the group.
    pub(super) fn count_false(
        &mut self,
        worker: &str,
        reason: &str,
        is_proven: bool,
    ) -> Result<(), JobsError> {
        if !self.trust.count(worker, is_proven) {
            return Ok(());
        }
        self.doubts.forget(worker);
        self.failures.forget(worker);
        self.notice.say(&format!(
            "worker {worker} is not trusted any more: all its results are dropped"
        ));
        let event = Event::Distrusted {
            worker: worker.to_owned(),
            group: self.record.name.clone(),
            reason: reason.to_owned(),
        };
        let transport = self.connection.transport();
        self.connection
            .block_on(transport.notify(&self.record.name, event))
    }

    /// Drops a result and runs its job again.
    fn run_again(&mut self, result: &RawResult) -> Result<(), JobsError> {
        let transport = Arc::clone(self.connection.transport());
        self.connection.block_on(transport.reject(result))?;
        // A job from before this coordinator started may be known from its result only.
        if !self.outstanding.contains_key(&result.key) && Digest::of(&result.job) != result.key {
            return Ok(());
        }
        let again = self
            .outstanding
            .entry(result.key)
            .or_insert_with(|| Outstanding::new(Class::Bulk, result.job.clone(), Instant::now()));
        again.taken = None;
        // The worker stores a result before it acknowledges the job: until then the server
        // refuses the same job.
        again.resubmit = Instant::now() + RESUBMIT_REJECTED_AFTER;
        let (class, body) = (again.class, again.body.clone());
        let address = self.address(class, result.key);
        self.connection.block_on(transport.submit(&address, body))
    }
}
