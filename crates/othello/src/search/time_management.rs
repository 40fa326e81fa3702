//! Time management: how much of the clock a move may use, and when to start another iteration.
//!
//! The time left is divided among the moves until the rest of the game can be solved. Within a
//! move, the history of finished iterations decides whether another one is worthwhile: a stable
//! best move stops early, a changed move or score gets more time. The same history gives the centre
//! of the aspiration window.

use crate::board::square::Square;
use crate::search::result::SearchResult;
use std::time::Duration;

/// Returns the number of moves among which the time left on a game clock is divided, this move
/// included.
pub(crate) fn moves_to_go(empties: u32, left: Option<Duration>) -> u32 {
    // Half of the moves before the endgame can be solved are ours; solving takes as long as two.
    let planned = empties.saturating_sub(solvable_empties(left)) / 2 + 2;
    // In case the endgame cannot be solved after all, keep time for later moves.
    planned.max(empties / 5).min(30)
}

/// Returns the number of empty squares at which the rest of the game can be solved in an eighth of
/// the time left. Sixteen empties take about 10 ms; each further one multiplies the time by 7/4.
fn solvable_empties(left: Option<Duration>) -> u32 {
    let available = left.unwrap_or_default() / 8;
    let (mut empties, mut needed) = (16, Duration::from_millis(10));
    while empties < 30 && needed <= available {
        empties += 1;
        needed = needed / 4 * 7;
    }
    empties
}

/// A part of the time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeFraction {
    pub(crate) numerator: u32,
    pub(crate) denominator: u32,
}

impl TimeFraction {
    const fn new(numerator: u32, denominator: u32) -> Self {
        Self {
            numerator,
            denominator,
        }
    }
}

/// The finished iterations of a search.
pub(crate) struct IterationHistory {
    iterations: Vec<FinishedIteration>,
    /// Number of legal moves at the root.
    root_moves: u32,
}

#[derive(Clone, Copy)]
struct FinishedIteration {
    depth: u32,
    score: i32,
    best: Option<Square>,
}

impl IterationHistory {
    pub(crate) const fn new(root_moves: u32) -> Self {
        Self {
            iterations: Vec::new(),
            root_moves,
        }
    }

    /// Adds a finished iteration.
    pub(crate) fn add(&mut self, result: &SearchResult) {
        self.iterations.push(FinishedIteration {
            depth: result.depth,
            score: result.score,
            best: result.best,
        });
    }

    /// Returns the expected score, in discs, of an iteration at `depth`: that of the last iteration
    /// with the same parity. Scores of depths that differ by two are half as far apart as those of
    /// adjacent depths.
    pub(crate) fn aspiration_center(&self, depth: u32) -> Option<i32> {
        let same_parity = self
            .iterations
            .iter()
            .rev()
            .find(|iteration| has_same_parity(iteration.depth, depth));
        same_parity
            .or(self.iterations.last())
            .map(|iteration| iteration.score)
    }

    /// Returns the part of the time for this move within which another iteration may start. An
    /// iteration takes about twice as long as the one before.
    pub(crate) fn time_fraction(&self) -> TimeFraction {
        if self.root_moves <= 1 {
            return TimeFraction::new(0, 1);
        }
        let Some((last, earlier)) = self.iterations.split_last() else {
            return TimeFraction::new(1, 1);
        };
        let has_same_best = |iteration: &&FinishedIteration| iteration.best == last.best;
        let stable_for = earlier.iter().rev().take_while(has_same_best).count();
        let previous = earlier
            .iter()
            .rev()
            .find(|iteration| has_same_parity(iteration.depth, last.depth));
        let score_change = previous.map_or(0, |previous| (last.score - previous.score).abs());
        match (stable_for, score_change) {
            (0, _) | (_, 4..) => TimeFraction::new(4, 5),
            (3.., 0..=1) => TimeFraction::new(1, 5),
            _ => TimeFraction::new(2, 5),
        }
    }
}

const fn has_same_parity(depth: u32, other: u32) -> bool {
    depth % 2 == other % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(root_moves: u32, iterations: &[(u32, i32, u64)]) -> IterationHistory {
        let mut history = IterationHistory::new(root_moves);
        for &(depth, score, best) in iterations {
            history.iterations.push(FinishedIteration {
                depth,
                score,
                best: Some(Square::lowest(1 << best)),
            });
        }
        history
    }

    #[test]
    fn more_time_solves_from_more_empty_squares() {
        let from = |millis| solvable_empties(Some(Duration::from_millis(millis)));
        assert_eq!((from(0), solvable_empties(None)), (16, 16));
        // 16 empties in 10 ms, 20 in 94 ms, 24 in 0.88 s, 28 in 8.25 s.
        assert_eq!((from(100), from(1_000), from(60_000)), (17, 21, 28));
        assert_eq!(from(86_400_000), 30);
        assert_eq!(moves_to_go(60, Some(Duration::from_secs(60))), 18);
        assert_eq!(moves_to_go(10, Some(Duration::from_secs(60))), 2);
    }

    #[test]
    fn the_aspiration_center_is_the_last_score_of_the_same_parity() {
        let history = history(9, &[(1, 5, 0), (2, -1, 0), (3, 6, 0)]);
        assert_eq!(history.aspiration_center(4), Some(-1));
        assert_eq!(history.aspiration_center(5), Some(6));
        assert_eq!(IterationHistory::new(9).aspiration_center(1), None);
    }

    #[test]
    fn a_changed_move_or_score_gets_more_time_than_a_stable_one_and_a_forced_move_none() {
        let fraction = |iterations: &[(u32, i32, u64)]| {
            let fraction = history(9, iterations).time_fraction();
            f64::from(fraction.numerator) / f64::from(fraction.denominator)
        };
        let stable: Vec<_> = (1..=9).map(|ply| (2 * ply, 2, 7)).collect();
        let mut changed_move = stable.clone();
        changed_move.push((20, 2, 8));
        let mut changed_score = stable.clone();
        changed_score.push((20, -4, 7));
        let mut usual = changed_move.clone();
        usual.push((22, 2, 8));
        for unstable in [changed_move, changed_score] {
            assert!(fraction(&unstable) > fraction(&usual));
        }
        assert!(fraction(&usual) > fraction(&stable));
        assert_eq!(history(1, &stable).time_fraction(), TimeFraction::new(0, 1));
    }
}
