//! Score bracket: a lower and an upper bound on a score, closed by null-window searches.
//!
//! Chooses the bounds to test, as MTD(f) does one after the other, but several at a time. Knows
//! nothing of threads: `T` is a handle of a running search.

use crate::eval::score::{DISC, SCORE_MAX, to_discs};
use crate::search::best::Best;

/// Number of concurrent null-window searches. The score lies between two bounds, and every search
/// splits nodes of its own.
pub(crate) const CONCURRENT_WINDOWS: usize = 2;

/// Bounds on a score, and the searches that narrow them.
pub(crate) struct ScoreBracket<T> {
    /// The lower bound and the move that achieves it.
    lower: Best,
    upper: i32,
    expected: i32,
    running: Vec<RunningSearch<T>>,
}

struct RunningSearch<T> {
    alpha: i32,
    handle: T,
}

impl<T> ScoreBracket<T> {
    pub(crate) const fn new(expected: i32) -> Self {
        Self {
            lower: Best::without_move(-SCORE_MAX),
            upper: SCORE_MAX,
            expected,
            running: Vec::new(),
        }
    }

    pub(crate) const fn expected(&self) -> i32 {
        self.expected
    }

    fn contains(&self, alpha: i32) -> bool {
        (self.lower.score..self.upper).contains(&alpha)
    }

    /// Returns the next bound to test: the one nearest to the expected score that no search is
    /// testing. Returns `None` when the score is known to the disc. Every bound lies halfway
    /// between two whole numbers of discs, so that a search decides between them.
    pub(crate) fn next_bound(&self) -> Option<i32> {
        let is_open = |alpha: &i32| {
            self.contains(*alpha) && self.running.iter().all(|search| search.alpha != *alpha)
        };
        // Selective searches may contradict each other; then the bracket is empty.
        let center = to_discs(self.expected.max(self.lower.score).min(self.upper));
        (0..128)
            .flat_map(|distance| [center - distance, center + 1 + distance])
            .map(half_disc_below)
            .find(is_open)
    }

    pub(crate) fn add_running(&mut self, alpha: i32, handle: T) {
        self.running.push(RunningSearch { alpha, handle });
    }

    pub(crate) fn remove_running(&mut self, is_it: impl Fn(&T) -> bool) {
        self.running.retain(|search| !is_it(&search.handle));
    }

    /// Narrows the bracket by the result of a search, and calls `cut` for every running search that
    /// it makes obsolete.
    pub(crate) fn narrow(&mut self, alpha: i32, found: Best, cut: impl Fn(&T)) {
        if found.score <= alpha {
            self.upper = self.upper.min(found.score);
        } else if found.score > self.lower.score {
            self.lower = found;
        }
        for search in &self.running {
            if !self.contains(search.alpha) {
                cut(&search.handle);
            }
        }
    }

    /// Returns the score and its move once the bracket is closed to the disc; `None` while it is
    /// open or when selective searches contradict each other.
    pub(crate) fn result(&self) -> Option<Best> {
        let is_closed = self.lower.score <= self.upper && self.next_bound().is_none();
        (self.lower.mv.is_some() && is_closed).then_some(self.lower)
    }
}

/// Returns the largest score that rounds to less than `discs`.
const fn half_disc_below(discs: i32) -> i32 {
    DISC * discs - DISC / 2 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::square::Square;

    #[test]
    fn the_bounds_nearest_to_the_expected_score_are_tested_until_they_meet() {
        let mut bracket = ScoreBracket::<()>::new(4 * DISC);
        let below = half_disc_below;
        assert_eq!(bracket.next_bound(), Some(below(4)));
        let [first, second] = [0, 1].map(Square::of_low_bits);
        bracket.narrow(below(4), Best::new(5 * DISC, first), |_| {});
        assert_eq!(bracket.next_bound(), Some(below(6)));
        bracket.narrow(below(7), Best::new(6 * DISC + 3, first), |_| {});
        assert_eq!(
            (bracket.next_bound(), bracket.result()),
            (Some(below(6)), None)
        );
        bracket.narrow(below(6), Best::new(6 * DISC - 2, second), |_| {});
        assert_eq!(bracket.next_bound(), None);
        assert_eq!(bracket.result(), Some(Best::new(6 * DISC - 2, second)));
        assert_eq!(bracket.upper, 6 * DISC + 3);
        // Selective searches that contradict each other end the search without a result.
        bracket.narrow(below(7), Best::new(8 * DISC, first), |_| {});
        assert_eq!((bracket.next_bound(), bracket.result()), (None, None));
    }
}
