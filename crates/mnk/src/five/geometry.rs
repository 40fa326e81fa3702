//! Geometry of a board of five in a row: the lines through each cell and the cells near it.

use papan_rules::{Bits as _, Wide};

use super::half::{BORDER, REACH};

/// Rows, columns and both diagonals.
pub(super) const DIRECTIONS: usize = 4;
/// The longest side of a board.
pub(crate) const MAX_SIDE: usize = 20;
/// Lines in each direction at most.
pub(super) const LINES: usize = 2 * MAX_SIDE;
/// Distance of a cell from a stone at which it is worth a move.
const NEAR: isize = 2;
/// The same along a line.
const NEAR_IN_LINE: isize = 4;

/// The place of a cell on the line of a direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Number of the line among all directions.
    pub(super) line: u8,
    /// Bit of the cell in the line's code.
    pub(super) shift: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    rows: usize,
    columns: usize,
    pub(super) places: Vec<[Place; DIRECTIONS]>,
    /// Steps between neighbours in each direction.
    pub(super) steps: [isize; DIRECTIONS],
    /// Codes of the lines of the empty board: two bits a cell, border at both ends.
    pub(super) empty_lines: [u64; DIRECTIONS * LINES],
    /// Cells worth a move after a stone on each cell.
    pub(super) near: Vec<Wide>,
}

impl Geometry {
    /// Returns the geometry of a board of at most 20 by 20 cells.
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        let empty_line = (0..32).fold(0, |code, at| code | u64::from(BORDER) << (2 * at));
        let mut empty_lines = [empty_line; DIRECTIONS * LINES];
        let mut places = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                // Line and place on it; diagonals are numbered by where they meet the border.
                let lines = [
                    (row, column),
                    (column, row),
                    (row + columns - 1 - column, row.min(column)),
                    (row + column, row.min(columns - 1 - column)),
                ];
                let mut direction = 0;
                places.push(lines.map(|(line, at)| {
                    let line = direction * LINES + line;
                    let shift = 2 * (at + REACH);
                    empty_lines[line] &= !(3 << shift);
                    direction += 1;
                    Place {
                        line: line as u8,
                        shift: shift as u8,
                    }
                }));
            }
        }
        let columns_step = columns as isize;
        let near = |cell: usize| {
            let (row, column) = ((cell / columns) as isize, (cell % columns) as isize);
            let mut set = Wide::EMPTY;
            for down in -NEAR_IN_LINE..=NEAR_IN_LINE {
                for right in -NEAR_IN_LINE..=NEAR_IN_LINE {
                    let distance = down.abs().max(right.abs());
                    let in_line = down == 0 || right == 0 || down.abs() == right.abs();
                    let there = (row + down, column + right);
                    let fits = (0..rows as isize).contains(&there.0)
                        && (0..columns_step).contains(&there.1);
                    if fits && (distance <= NEAR || in_line) {
                        set = set | Wide::single((there.0 * columns_step + there.1) as usize);
                    }
                }
            }
            set
        };
        Self {
            rows,
            columns,
            places,
            steps: [1, columns_step, columns_step + 1, columns_step - 1],
            empty_lines,
            near: (0..rows * columns).map(near).collect(),
        }
    }

    pub(crate) fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the cells of the middle, which are the most central ones.
    pub(crate) fn middle(&self) -> usize {
        self.rows / 2 * self.columns + self.columns / 2
    }
}
