//! Reports that only their worker can vouch for, such as that a program crashed or that a job failed:
//! they count once other workers report the same.

use std::collections::HashMap;

use crate::Digest;

/// After this number of runs the report counts, also if one worker ran the job each time while
/// others were connected.
const MAX_RUNS: u32 = 10;

/// What a worker says about a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    pub(super) key: Digest,
    pub(super) worker: &'a str,
    /// The place of the message in its stream; it may be read twice after an outage.
    pub(super) sequence: u64,
    pub(super) reason: &'a str,
}

/// A job that was reported to end in a way that has to be confirmed.
#[derive(Debug)]
struct Report {
    /// The workers that reported it, in order.
    workers: Vec<String>,
    reason: String,
    runs: u32,
    /// The place of the last message.
    sequence: u64,
}

/// Whether a report counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Confirmed,
    /// The job runs again; it was run this number of times.
    Open(u32),
}

/// Jobs that run again for confirmation.
#[derive(Debug, Default)]
pub(super) struct Doubts(HashMap<Digest, Report>);

impl Doubts {
    /// Enters a report. It counts if the job was run twice and this number of workers have reported
    /// it.
    pub(super) fn enter(&mut self, claim: Claim<'_>, wanted: usize) -> Verdict {
        let Claim {
            key,
            worker,
            sequence,
            reason,
        } = claim;
        let Some(report) = self.0.get_mut(&key) else {
            let report = Report {
                workers: vec![worker.to_owned()],
                reason: reason.to_owned(),
                runs: 1,
                sequence,
            };
            self.0.insert(key, report);
            return Verdict::Open(1);
        };
        if report.sequence == sequence {
            return Verdict::Open(report.runs);
        }
        report.sequence = sequence;
        report.runs += 1;
        if !report.workers.iter().any(|known| known == worker) {
            report.workers.push(worker.to_owned());
        }
        if report.workers.len() < wanted && report.runs < MAX_RUNS {
            return Verdict::Open(report.runs);
        }
        self.0.remove(&key);
        Verdict::Confirmed
    }

    /// Removes the reports of a worker that is trusted no longer.
    pub(super) fn forget(&mut self, worker: &str) {
        self.0.retain(|_, report| {
            report.workers.retain(|known| known != worker);
            !report.workers.is_empty()
        });
    }

    /// Removes the report about a job that ended without it. Returns its workers and the reason of the
    /// first.
    pub(super) fn resolve(&mut self, key: Digest) -> Option<(Vec<String>, String)> {
        let report = self.0.remove(&key)?;
        Some((report.workers, report.reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_workers_confirm_a_report_or_the_same_one_that_is_alone() {
        let mut doubts = Doubts::default();
        let mut sequence = 0;
        let mut enter = |doubts: &mut Doubts, job: &str, worker: &str, wanted| {
            sequence += 1;
            let claim = Claim {
                key: Digest::of(job.as_bytes()),
                worker,
                sequence,
                reason: "crash",
            };
            let verdict = doubts.enter(claim, wanted);
            if let Verdict::Open(runs) = verdict {
                let again = doubts.enter(claim, wanted);
                assert_eq!(again, Verdict::Open(runs), "a message that is read twice");
            }
            verdict == Verdict::Confirmed
        };
        assert!(!enter(&mut doubts, "one", "a", 2));
        assert!(!enter(&mut doubts, "one", "a", 2), "the same worker again");
        assert!(!enter(&mut doubts, "two", "a", 1), "another job");
        assert!(enter(&mut doubts, "one", "b", 2));
        assert!(enter(&mut doubts, "two", "a", 1), "no other worker");
        assert!(!enter(&mut doubts, "one", "a", 3));
        assert!(!enter(&mut doubts, "one", "b", 3));
        assert!(enter(&mut doubts, "one", "c", 3), "the third of three");
        // Others that never take the job do not hold it for ever.
        let runs = (1..).find(|_| enter(&mut doubts, "one", "a", 2));
        assert_eq!(runs, Some(MAX_RUNS));
        let one = Digest::of(b"one");
        assert_eq!(doubts.resolve(one), None, "it counts");
        assert!(!enter(&mut doubts, "one", "a", 3));
        assert!(!enter(&mut doubts, "one", "b", 3));
        doubts.forget("a");
        assert!(
            !enter(&mut doubts, "one", "c", 3),
            "one of two is forgotten"
        );
        let workers = vec!["b".to_owned(), "c".to_owned()];
        assert_eq!(doubts.resolve(one), Some((workers, "crash".into())));
    }
}
