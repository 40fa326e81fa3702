//! Workers that returned false results.

use std::collections::HashMap;

/// Workers that are remembered; a server that is sent results of more liars has other troubles.
const MAX_WORKERS: usize = 10_000;

/// False results of each worker, and which workers are believed no longer.
#[derive(Debug)]
pub(crate) struct Trust {
    false_results: HashMap<String, u64>,
    /// After this many false results a worker is distrusted.
    limit: u64,
}

impl Trust {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            false_results: HashMap::new(),
            limit,
        }
    }

    pub(crate) fn is_distrusted(&self, worker: &str) -> bool {
        let count = self.false_results.get(worker);
        count.is_some_and(|count| *count >= self.limit)
    }

    /// Counts a false result; a proven lie counts as all that are allowed. Returns whether the
    /// worker is distrusted from now on.
    pub(crate) fn count(&mut self, worker: &str, is_proven: bool) -> bool {
        if self.false_results.len() >= MAX_WORKERS && !self.false_results.contains_key(worker) {
            return false;
        }
        let was_distrusted = self.is_distrusted(worker);
        let count = self.false_results.entry(worker.to_owned()).or_default();
        *count += 1;
        if is_proven {
            *count = self.limit.max(*count);
        }
        !was_distrusted && self.is_distrusted(worker)
    }

    pub(crate) fn false_results(&self) -> &HashMap<String, u64> {
        &self.false_results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_distrusted_after_some_false_results_or_one_proven_lie() {
        let mut trust = Trust::new(3);
        assert!(!trust.count("one", false));
        assert!(!trust.count("one", false));
        assert!(!trust.is_distrusted("one"));
        assert!(trust.count("one", false), "from now on");
        assert!(!trust.count("one", false), "already");
        assert!(trust.is_distrusted("one"));
        assert!(trust.count("other", true));
        assert_eq!(trust.false_results()["one"], 4);
        assert!(!trust.is_distrusted("third"));
    }
}
