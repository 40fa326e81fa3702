//! How a search has gone so far: what its next step should find, and how much time it is worth.

use crate::board::square::Square;
use crate::search::result::SearchResult;

/// The finished steps of a deepening search.
pub(crate) struct Course {
    steps: Vec<Seen>,
    /// How many legal moves there are to choose from.
    choices: u32,
}

#[derive(Clone, Copy)]
struct Seen {
    depth: u32,
    score: i32,
    best: Option<Square>,
}

impl Course {
    /// Before the first step, with so many legal moves.
    pub(crate) const fn new(choices: u32) -> Self {
        Self {
            steps: Vec::new(),
            choices,
        }
    }

    /// Adds a finished step.
    pub(crate) fn add(&mut self, report: &SearchResult) {
        self.steps.push(Seen {
            depth: report.depth,
            score: report.score,
            best: report.best,
        });
    }

    /// What a search of `depth` plies should find: results whose depths differ by two differ by
    /// half as much as those of neighbours.
    pub(crate) fn expected(&self, depth: u32) -> Option<i32> {
        let nearest = self
            .steps
            .iter()
            .rev()
            .find(|seen| alike(seen.depth, depth));
        nearest.or(self.steps.last()).map(|seen| seen.score)
    }

    /// In which part of the move's share of a game's time another step may still begin: none of
    /// it where there is nothing to choose, less where the choice has long been the same, more
    /// where it has just changed or the score moves. A step takes twice as long as the one before.
    pub(crate) fn worth(&self) -> (u32, u32) {
        if self.choices <= 1 {
            return (0, 1);
        }
        let Some((last, earlier)) = self.steps.split_last() else {
            return (1, 1);
        };
        let same = |seen: &&Seen| seen.best == last.best;
        let steady = earlier.iter().rev().take_while(same).count();
        let before = earlier
            .iter()
            .rev()
            .find(|seen| alike(seen.depth, last.depth));
        let moved = before.map_or(0, |before| (last.score - before.score).abs());
        match (steady, moved) {
            (0, _) | (_, 4..) => (4, 5),
            (3.., 0..=1) => (1, 5),
            _ => (2, 5),
        }
    }
}

const fn alike(depth: u32, other: u32) -> bool {
    depth % 2 == other % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(choices: u32, steps: &[(u32, i32, u64)]) -> Course {
        let mut course = Course::new(choices);
        for &(depth, score, best) in steps {
            course.steps.push(Seen {
                depth,
                score,
                best: Some(Square::lowest(1 << best)),
            });
        }
        course
    }

    #[test]
    fn the_nearest_result_of_the_same_parity_is_expected_again() {
        let course = course(9, &[(1, 5, 0), (2, -1, 0), (3, 6, 0)]);
        assert_eq!(
            (course.expected(4), course.expected(5)),
            (Some(-1), Some(6))
        );
        assert_eq!(Course::new(9).expected(1), None);
    }

    #[test]
    fn a_close_choice_gets_more_of_the_time_than_a_steady_one_and_a_forced_one_none() {
        let worth = |steps: &[(u32, i32, u64)]| {
            let (parts, of) = course(9, steps).worth();
            f64::from(parts) / f64::from(of)
        };
        let steady: Vec<_> = (1..=9).map(|ply| (2 * ply, 2, 7)).collect();
        let mut changed = steady.clone();
        changed.push((20, 2, 8));
        let mut fallen = steady.clone();
        fallen.push((20, -4, 7));
        let mut usual = changed.clone();
        usual.push((22, 2, 8));
        for open in [changed, fallen] {
            assert!(worth(&open) > worth(&usual));
        }
        assert!(worth(&usual) > worth(&steady));
        assert_eq!(course(1, &steady).worth(), (0, 1));
    }
}
