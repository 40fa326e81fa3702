//! Forbidden points of Black at renju: overline, double four, double three.
//!
//! A *four* is a row of four stones that one more makes exactly five. A *straight four* can become
//! five at both ends. A *three* is a row of three stones to which Black can add a stone to attain a
//! straight four, without making a five at the same time, on a point that is not forbidden itself:
//! the definition is recursive. A five always wins, even on a point that would be forbidden.

use super::runs::{DIRECTIONS, Runs};
use crate::{Bits as _, Forbidden, Wide};

/// Farthest cell of a row of five from one of its cells.
const NEAR: isize = 4;

/// Returns why Black may not play on an empty cell.
pub(super) fn forbidden(runs: &Runs, black: Wide, white: Wide, cell: usize) -> Option<Forbidden> {
    if !is_crowded(runs, black, cell) {
        return None;
    }
    let board = Board {
        runs,
        black: black | Wide::single(cell),
        white,
    };
    let lengths: [usize; DIRECTIONS] =
        std::array::from_fn(|direction| runs.through(black, cell, direction).length());
    if lengths.contains(&5) {
        return None;
    }
    if lengths.iter().any(|&length| length > 5) {
        return Some(Forbidden::Overline);
    }
    let fours: [usize; DIRECTIONS] = std::array::from_fn(|direction| board.fours(cell, direction));
    if fours.iter().sum::<usize>() >= 2 {
        return Some(Forbidden::DoubleFour);
    }
    let is_three = |&direction: &usize| fours[direction] == 0 && board.is_three(cell, direction);
    if (0..DIRECTIONS).filter(is_three).nth(1).is_some() {
        return Some(Forbidden::DoubleThree);
    }
    None
}

/// Returns whether enough black stones are near: two in each of two directions, or four in one.
fn is_crowded(runs: &Runs, black: Wide, cell: usize) -> bool {
    let near = |direction: usize| {
        let offsets = (-NEAR..=NEAR).filter_map(|offset| runs.at(cell, direction, offset));
        offsets.filter(|&there| black.contains(there)).count()
    };
    let counts: [usize; DIRECTIONS] = std::array::from_fn(near);
    counts.iter().any(|&count| count >= 4)
        || counts.iter().filter(|&&count| count >= 2).count() >= 2
}

/// The stones with Black's on the point in question.
struct Board<'a> {
    runs: &'a Runs,
    black: Wide,
    white: Wide,
}

impl Board<'_> {
    fn is_empty(&self, cell: usize) -> bool {
        !self.black.contains(cell) && !self.white.contains(cell)
    }

    /// Returns whether a stone on an empty cell makes exactly five in a direction.
    fn makes_five(&self, cell: usize, direction: usize) -> bool {
        self.is_empty(cell) && self.runs.through(self.black, cell, direction).length() == 5
    }

    /// Returns the number of fours with the stone on `cell` in a direction. A straight four counts
    /// once.
    fn fours(&self, cell: usize, direction: usize) -> usize {
        let completes = |&offset: &isize| {
            let there = self.runs.at(cell, direction, offset);
            there.is_some_and(|there| {
                let run = self.runs.through(self.black, there, direction);
                let reaches = if offset < 0 {
                    run.after as isize >= -offset
                } else {
                    run.before as isize >= offset
                };
                reaches && self.makes_five(there, direction)
            })
        };
        let mut places = (-NEAR..=NEAR)
            .filter(|&offset| offset != 0)
            .filter(completes);
        match (places.next(), places.next()) {
            (None, _) => 0,
            (Some(_), None) => 1,
            (Some(first), Some(second)) if second - first == 5 => 1,
            _ => 2,
        }
    }

    /// Returns whether the stone on `cell` is part of a three in a direction.
    fn is_three(&self, cell: usize, direction: usize) -> bool {
        let mut offsets = (-NEAR..=NEAR).filter(|&offset| offset != 0);
        offsets.any(|offset| {
            let Some(there) = self.runs.at(cell, direction, offset) else {
                return false;
            };
            self.is_empty(there)
                && self.is_straight_four(cell, there, direction)
                && self.may_extend(there)
        })
    }

    /// Returns whether a stone on `added` makes a straight four with the one on `cell`.
    fn is_straight_four(&self, cell: usize, added: usize, direction: usize) -> bool {
        let after = Board {
            black: self.black | Wide::single(added),
            ..*self
        };
        let run = self.runs.through(after.black, cell, direction);
        if run.length() != 4 || !self.runs.cells(cell, direction, run).contains(added) {
            return false;
        }
        let ends = self.runs.ends(cell, direction, run);
        let makes_five =
            |end: &Option<usize>| end.is_some_and(|end| after.makes_five(end, direction));
        ends.iter().all(makes_five)
    }

    /// Returns whether Black may add a stone there without making a five.
    fn may_extend(&self, cell: usize) -> bool {
        let makes_five = |direction| self.runs.through(self.black, cell, direction).length() == 5;
        !(0..DIRECTIONS).any(makes_five)
            && forbidden(self.runs, self.black, self.white, cell).is_none()
    }
}
