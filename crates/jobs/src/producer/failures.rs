//! Jobs that a worker reports as failed: a failure counts once other workers report it as well.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::doubts::{Claim, Verdict};
use super::{Producer, RESUBMIT_REJECTED_AFTER};
use crate::{DeadLetter, Digest, JobKind, JobsError};

/// A failure counts once this number of workers report it, or all if they are fewer: workers of one
/// broken machine are several.
const MAX_REPORTERS: usize = 3;
/// The delay of a job that one worker keeps reporting as failed doubles this number of times.
const MAX_DOUBLINGS: u32 = 9;

impl<K: JobKind> Producer<K> {
    /// Reads the dead letters of the group. Those that are not confirmed are dropped, and their jobs
    /// run again.
    pub(super) fn read_dead_letters(&mut self) -> Result<(), JobsError> {
        let transport = self.connection.transport();
        let letters = transport.dead_letters(Some(&self.record.name));
        let letters = self.connection.block_on(letters)?;
        let mut dead: HashMap<Digest, DeadLetter> = HashMap::new();
        for letter in letters {
            let key = letter.key();
            let known = self.status.dead.get(&key);
            let is_known = known.is_some_and(|known| known.sequence == letter.sequence);
            let delay = if is_known {
                None
            } else {
                self.retry_delay(&letter)
            };
            if let Some(delay) = delay {
                self.run_failed_again(&letter, delay)?;
            } else {
                dead.insert(key, letter);
            }
        }
        if dead.len() > self.status.dead.len() {
            self.notice.say(&format!(
                "{} jobs of {} failed; `papan jobs` shows why, `papan jobs --retry` runs them \
                 again",
                dead.len(),
                self.record.name
            ));
        }
        self.status.dead = dead;
        Ok(())
    }

    /// Enters a report that a job failed. Returns when the job runs again; `None` if the report
    /// counts, or the job is not wanted.
    fn retry_delay(&mut self, letter: &DeadLetter) -> Option<Duration> {
        let key = letter.key();
        if self.outstanding.get(&key)?.has_failed {
            return None;
        }
        if self.trust.is_distrusted(&letter.worker) {
            return Some(RESUBMIT_REJECTED_AFTER);
        }
        let claim = Claim {
            key,
            worker: &letter.worker,
            sequence: letter.sequence,
            reason: &letter.reason,
        };
        let wanted = MAX_REPORTERS.min(1 + self.others(&letter.worker));
        match self.failures.enter(claim, wanted) {
            Verdict::Confirmed => None,
            // A worker that fails at once would take the job each time before others are free.
            Verdict::Open(runs) => {
                Some(RESUBMIT_REJECTED_AFTER * (1 << (runs - 1).min(MAX_DOUBLINGS)))
            }
        }
    }

    /// Drops a dead letter and lets its job run again after some time: the worker stores the letter
    /// before it acknowledges the job, and until then the server refuses the same job.
    fn run_failed_again(&mut self, letter: &DeadLetter, delay: Duration) -> Result<(), JobsError> {
        if let Some(job) = self.outstanding.get_mut(&letter.key()) {
            job.taken = None;
            job.resubmit = Instant::now() + delay;
        }
        let transport = self.connection.transport();
        self.connection.block_on(transport.drop_dead_letter(letter))
    }

    /// Enters that a job has a result: a worker that reported it as failed is named.
    pub(super) fn resolve_failure(&mut self, key: Digest, by: &str) -> Result<(), JobsError> {
        let Some((workers, reason)) = self.failures.resolve(key) else {
            return Ok(());
        };
        self.notice.say(&format!(
            "worker {} reported that a job failed: {reason}; run again by worker {by}, it has a \
             result (job {} of {})",
            workers.join(", "),
            key.short(),
            self.record.name
        ));
        for worker in workers.iter().filter(|worker| *worker != by) {
            self.count_false(worker, &format!("it reported a failure: {reason}"), false)?;
        }
        Ok(())
    }
}
