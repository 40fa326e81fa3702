//! Runs of stones along the four directions of a square board.

use crate::{Bits as _, Wide};

/// Rows, columns and both diagonals.
pub(super) const DIRECTIONS: usize = 4;
const STEPS: [[isize; 2]; DIRECTIONS] = [[0, 1], [1, 0], [1, 1], [1, -1]];
/// Cells on each side of a cell that matter: the fifth tells five from six.
pub(super) const REACH: usize = 5;
const WINDOW: usize = 2 * REACH + 1;
const OFF_BOARD: u16 = u16::MAX;

/// The neighbours of every cell along every direction.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    side: usize,
    windows: Vec<[[u16; WINDOW]; DIRECTIONS]>,
}

/// The stones of a run before and after a cell of it, at most [`REACH`] on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) before: usize,
    pub(super) after: usize,
}

impl Run {
    pub(super) fn length(self) -> usize {
        self.before + 1 + self.after
    }
}

impl Runs {
    pub(super) fn new(side: usize) -> Self {
        let at = |cell: usize, direction: usize, offset: isize| {
            let [down, right] = STEPS[direction];
            let row = (cell / side).checked_add_signed(down * offset);
            let column = (cell % side).checked_add_signed(right * offset);
            match (row.filter(|&r| r < side), column.filter(|&c| c < side)) {
                (Some(row), Some(column)) => (row * side + column) as u16,
                _ => OFF_BOARD,
            }
        };
        let window = |cell, direction| {
            std::array::from_fn(|place| at(cell, direction, place as isize - REACH as isize))
        };
        Self {
            side,
            windows: (0..side * side)
                .map(|cell| std::array::from_fn(|direction| window(cell, direction)))
                .collect(),
        }
    }

    /// Returns the cell at an offset of at most [`REACH`] from another, if it is on the board.
    pub(super) fn at(&self, cell: usize, direction: usize, offset: isize) -> Option<usize> {
        let place = (REACH as isize + offset) as usize;
        let found = self.windows[cell][direction][place];
        (found != OFF_BOARD).then_some(usize::from(found))
    }

    /// Returns the run of stones through a cell, which counts as one of them.
    pub(super) fn through(&self, stones: Wide, cell: usize, direction: usize) -> Run {
        let count = |sign: isize| {
            let holds = |&offset: &isize| {
                let there = self.at(cell, direction, sign * offset);
                there.is_some_and(|there| stones.contains(there))
            };
            (1..=REACH as isize).take_while(holds).count()
        };
        Run {
            before: count(-1),
            after: count(1),
        }
    }

    /// Returns the cells next to both ends of a run of at most five.
    pub(super) fn ends(&self, cell: usize, direction: usize, run: Run) -> [Option<usize>; 2] {
        [-(run.before as isize) - 1, run.after as isize + 1]
            .map(|offset| self.at(cell, direction, offset))
    }

    /// Returns the cells of a run.
    pub(super) fn cells(&self, cell: usize, direction: usize, run: Run) -> Wide {
        let offsets = -(run.before as isize)..=run.after as isize;
        let cells = offsets.filter_map(|offset| self.at(cell, direction, offset));
        cells.fold(Wide::EMPTY, |set, cell| set | Wide::single(cell))
    }

    /// Returns the sets of five cells in a row.
    pub(super) fn lines(&self) -> Vec<Wide> {
        let mut lines = Vec::new();
        for cell in 0..self.side * self.side {
            for direction in 0..DIRECTIONS {
                let line: Option<Vec<usize>> = (0..5)
                    .map(|offset| self.at(cell, direction, offset))
                    .collect();
                if let Some(line) = line {
                    let set = line
                        .into_iter()
                        .fold(Wide::EMPTY, |set, c| set | Wide::single(c));
                    lines.push(set);
                }
            }
        }
        lines
    }
}
