//! Moves that may stop a threat: an open three, or a VCF.

use papan_rules::{Bits as _, Player, Wide};

use super::geometry::DIRECTIONS;
use super::search::Search;
use super::tables::MoveClass;
use crate::lines::Cell;

impl Search<'_> {
    /// Returns the cells that may stop the opponent's open threes.
    pub(super) fn defences(&self, side: Player) -> Wide {
        let other = side.other();
        let mut cells = Wide::EMPTY;
        for cell in self.board.cells(other, MoveClass::OpenFour).cells() {
            cells = cells | Wide::single(cell);
            for direction in 0..DIRECTIONS {
                if self
                    .board
                    .line_class(other, cell as Cell, direction)
                    .is_four()
                {
                    cells = cells | self.board.fours_near(other, cell as Cell, direction);
                }
            }
        }
        cells
    }

    /// Returns the cells that may stop a VCF of the opponent: those of its moves, those that stop its
    /// last four, and one's own fours and threes.
    pub(super) fn zone(&mut self, side: Player, line: &[Cell]) -> Wide {
        use MoveClass::{DoubleThree, DoubtfulFour, Four, FourThree, OpenThree};
        let own = [Four, FourThree, DoubtfulFour, OpenThree, DoubleThree];
        let own = own.map(|class| self.board.cells(side, class));
        let mut cells = own.into_iter().fold(Wide::EMPTY, |all, cells| all | cells);
        let (mut mover, mut put) = (side.other(), 0);
        for &cell in line {
            if self.board.owner(cell).is_some() {
                break;
            }
            cells = cells | Wide::single(usize::from(cell));
            if mover != side {
                for direction in 0..DIRECTIONS {
                    if self.board.line_class(mover, cell, direction).is_four() {
                        cells = cells | self.board.fours_near(mover, cell, direction);
                    }
                }
            }
            self.board.put(cell, mover);
            put += 1;
            mover = mover.other();
        }
        for _ in 0..put {
            self.board.undo();
        }
        cells & self.board.empty()
    }
}
