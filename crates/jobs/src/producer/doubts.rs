//! Results that rest on what only their worker saw, such as a program that crashed: they count once
//! another worker has seen it as well.

use std::collections::HashMap;

use crate::Digest;
use crate::transport::RawResult;

/// After this number of runs the result counts, also if one worker ran the job each time while
/// others were connected.
const MAX_RUNS: u32 = 10;

/// A job that was reported to end in a way that has to be confirmed.
#[derive(Debug)]
struct Report {
    /// The first worker that reported it.
    worker: String,
    reason: String,
    runs: u32,
    /// The place in the stream of the last result, which may be read twice after an outage.
    sequence: u64,
}

/// Jobs that run again for confirmation.
#[derive(Debug, Default)]
pub(super) struct Doubts(HashMap<Digest, Report>);

impl Doubts {
    /// Enters a report. Returns whether the result counts: another worker has reported it before,
    /// or the same one has and there is no other.
    pub(super) fn enter(&mut self, result: &RawResult, reason: String, has_others: bool) -> bool {
        let (key, worker, sequence) = (result.key, &result.worker, result.sequence);
        let Some(report) = self.0.get_mut(&key) else {
            let report = Report {
                worker: worker.clone(),
                reason,
                runs: 1,
                sequence,
            };
            self.0.insert(key, report);
            return false;
        };
        if report.sequence == sequence {
            return false;
        }
        report.sequence = sequence;
        report.runs += 1;
        let is_confirmed = report.worker != *worker || !has_others || report.runs >= MAX_RUNS;
        if is_confirmed {
            self.0.remove(&key);
        }
        is_confirmed
    }

    /// Removes the report about a job that ended without it. Returns the worker and its reason.
    pub(super) fn resolve(&mut self, key: Digest) -> Option<(String, String)> {
        let report = self.0.remove(&key)?;
        Some((report.worker, report.reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_worker_confirms_a_report_or_the_same_one_that_is_alone() {
        let mut doubts = Doubts::default();
        let mut sequence = 0;
        let mut enter = |doubts: &mut Doubts, job: &str, worker: &str, has_others| {
            sequence += 1;
            let result = RawResult {
                group: "games".into(),
                key: Digest::of(job.as_bytes()),
                sequence,
                worker: worker.into(),
                job: bytes::Bytes::new(),
                output: bytes::Bytes::new(),
            };
            let counts = doubts.enter(&result, "crash".into(), has_others);
            assert!(
                counts || !doubts.enter(&result, "crash".into(), has_others),
                "a result that is read twice"
            );
            counts
        };
        assert!(!enter(&mut doubts, "one", "a", true));
        assert!(
            !enter(&mut doubts, "one", "a", true),
            "the same worker again"
        );
        assert!(!enter(&mut doubts, "two", "a", false), "another job");
        assert!(enter(&mut doubts, "one", "b", true));
        assert!(enter(&mut doubts, "two", "a", false), "no other worker");
        // Others that never take the job do not hold it for ever.
        let runs = (1..).find(|_| enter(&mut doubts, "one", "a", true));
        assert_eq!(runs, Some(MAX_RUNS));
        let one = Digest::of(b"one");
        assert_eq!(doubts.resolve(one), None, "it counts");
        assert!(!enter(&mut doubts, "one", "a", true));
        assert_eq!(doubts.resolve(one), Some(("a".into(), "crash".into())));
    }
}
