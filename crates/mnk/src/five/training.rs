//! What training sees of a position: the sets of line classes of its cells.

use papan_rules::{Bits as _, Gomoku, Player};

use super::FiveInARow;
use super::board::Board;
use super::tables::{MoveClass, Tables};
use super::weights::GomokuWeights;
use crate::lines::Cell;

/// A game of gomoku, move by move, as features.
pub struct TrainingBoard {
    board: Board,
    turn: Player,
    tables: std::sync::Arc<Tables>,
}

impl TrainingBoard {
    /// Creates the board of a game at its start.
    #[must_use]
    pub fn new(game: &Gomoku) -> Self {
        Self {
            board: FiveInARow::of_gomoku(game).empty,
            turn: Player::First,
            tables: Tables::of(game.rule()),
        }
    }

    /// Plays a move on an empty cell.
    pub fn play(&mut self, cell: Cell) {
        self.board.put(cell, self.turn);
        self.turn = self.turn.other();
    }

    /// Returns whether the search would evaluate the position: no five or four decides it, and no
    /// open three of the opponent must be answered.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        let other = self.turn.other();
        let none = |player, class| self.board.count_of(player, class) == 0;
        none(self.turn, MoveClass::Five)
            && none(other, MoveClass::Five)
            && none(self.turn, MoveClass::OpenFour)
            && none(other, MoveClass::OpenFour)
    }

    /// Returns the table of the player to move and that of the other.
    #[must_use]
    pub fn tables(&self) -> [usize; 2] {
        let rule = self.tables.rule();
        [self.turn, self.turn.other()].map(|player| GomokuWeights::table(rule, player))
    }

    /// Returns which threats both players can make, as a number below [`GomokuWeights::THREATS`].
    #[must_use]
    pub fn threats(&self) -> usize {
        self.board.threats(self.turn)
    }

    fn set(&self, player: Player, cell: Cell) -> u16 {
        self.tables.set_numbers[usize::from(self.board.code(player, cell))]
    }

    /// Returns the numbers of the sets of an empty cell: of the player to move, of the other.
    #[must_use]
    pub fn sets(&self, cell: Cell) -> [u16; 2] {
        [self.turn, self.turn.other()].map(|player| self.set(player, cell))
    }

    /// Returns the empty cells.
    pub fn empty(&self) -> impl Iterator<Item = Cell> + use<> {
        self.board.empty().cells().map(|cell| cell as Cell)
    }

    /// Returns the cells that the search considers.
    pub fn near(&self) -> impl Iterator<Item = Cell> + use<> {
        self.board.near().cells().map(|cell| cell as Cell)
    }

    /// Returns the static value for the player to move.
    #[must_use]
    pub fn value(&self) -> i32 {
        self.board.value(self.turn)
    }
}
