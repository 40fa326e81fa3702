//! A small board without numbers, for trees and graphs.

use papan_rules::{Pieces, Player};

use super::{Drawing, Piece, Point};
use crate::Marks;

/// A small board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallBoard<'a> {
    /// The sides; the last varies fastest.
    pub(crate) sides: &'a [usize],
    pub(crate) cells: &'a [Option<Player>],
    pub(crate) pieces: Pieces,
    pub(crate) marks: Marks,
    /// The cell of the last move.
    pub(crate) last: Option<usize>,
}

impl SmallBoard<'_> {
    fn columns(&self) -> usize {
        *self.sides.last().unwrap_or(&1)
    }

    fn rows(&self) -> usize {
        match self.sides {
            [.., rows, _] => *rows,
            _ => 1,
        }
    }

    /// Returns the number of two-dimensional slices.
    fn slices(&self) -> usize {
        self.cells.len() / (self.columns() * self.rows()).max(1)
    }

    /// Returns the size of the board with cells of this side.
    pub(crate) fn size(&self, side: f64) -> Point {
        let slices = self.slices() as f64;
        let width = self.columns() as f64 * side;
        let gap = side * 0.6;
        (
            slices * width + (slices - 1.0) * gap,
            self.rows() as f64 * side,
        )
    }

    /// Returns the upper left corner of a cell.
    pub(crate) fn corner(&self, at: Point, side: f64, cell: usize) -> Point {
        let (columns, rows) = (self.columns(), self.rows());
        let slice = cell / (columns * rows);
        let (row, column) = (cell / columns % rows, cell % columns);
        let width = columns as f64 * side + side * 0.6;
        (
            at.0 + slice as f64 * width + column as f64 * side,
            at.1 + row as f64 * side,
        )
    }

    pub(crate) fn draw(&self, drawing: &mut Drawing, at: Point, side: f64, class: &str) {
        for (cell, piece) in self.cells.iter().enumerate() {
            let (x, y) = self.corner(at, side, cell);
            let chosen = if self.last == Some(cell) {
                " chosen"
            } else {
                ""
            };
            drawing.rect(x, y, side, side, &format!("cell{class}{chosen}"));
            if let Some(player) = *piece {
                let piece = Piece {
                    player,
                    pieces: self.pieces,
                    marks: self.marks,
                };
                drawing.piece((x, y), side, piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_is_three_slices_side_by_side() {
        let cells = vec![None; 27];
        let board = SmallBoard {
            sides: &[3, 3, 3],
            cells: &cells,
            pieces: Pieces::Marks,
            marks: Marks::XO,
            last: None,
        };
        assert_eq!(board.size(10.0), (3.0 * 30.0 + 2.0 * 6.0, 30.0));
        assert_eq!(board.corner((0.0, 0.0), 10.0, 13), (46.0, 10.0));
    }
}
