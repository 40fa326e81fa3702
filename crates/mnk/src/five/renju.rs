//! Forbidden points of Black at renju, from the line classes.
//!
//! Overlines and double fours are classes of their own. A double three is forbidden only if both
//! threes are real: Black must be able to extend them to a straight four on a point that is not
//! forbidden itself and makes no five.
//!
//! Reference: Renju International Federation, *The International Rules of Renju*, 2008.

use papan_rules::Player;

use super::board::Board;
use super::geometry::DIRECTIONS;
use super::line_class::LineClass;
use super::tables::MoveClass;
use crate::lines::Cell;

/// Farthest cell of a straight four from one of its stones.
const NEAR: isize = 4;

impl Board {
    /// Returns whether a player may not play on an empty cell.
    pub(crate) fn is_forbidden(&mut self, side: Player, cell: Cell) -> bool {
        match self.class(side, cell) {
            MoveClass::Forbidden => true,
            MoveClass::DoubtfulFour => self.has_two_real_threes(cell),
            MoveClass::DoubleThree if self.forbids_threes(side) => self.has_two_real_threes(cell),
            _ => false,
        }
    }

    fn forbids_threes(&self, side: Player) -> bool {
        self.rule() == papan_rules::GomokuRule::Renju && side == Player::First
    }

    fn has_two_real_threes(&mut self, cell: Cell) -> bool {
        let threes: Vec<usize> = (0..DIRECTIONS)
            .filter(|&direction| {
                self.line_class(Player::First, cell, direction)
                    .is_open_three()
            })
            .collect();
        self.put(cell, Player::First);
        let mut real = 0;
        for direction in threes {
            real += u32::from(self.is_real_three(cell, direction));
        }
        self.undo();
        real > 1
    }

    /// Returns whether Black's three through a stone can become a straight four.
    fn is_real_three(&mut self, cell: Cell, direction: usize) -> bool {
        for sign in [-1, 1] {
            for distance in 1..=NEAR {
                let Some(there) = self.at(cell, direction, sign * distance) else {
                    break;
                };
                match self.owner(there) {
                    Some(Player::First) => continue,
                    Some(Player::Second) => break,
                    None => {}
                }
                let class = self.line_class(Player::First, there, direction);
                if class == LineClass::StraightFour
                    && self.class(Player::First, there) != MoveClass::Five
                    && !self.is_forbidden(Player::First, there)
                {
                    return true;
                }
                // The stones of a straight four are adjacent.
                break;
            }
        }
        false
    }
}
