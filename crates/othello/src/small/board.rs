//! Geometry of a smaller board, placed in the middle of 8x8.

use crate::board::Board;
use crate::board::mobility;
use crate::board::square::Square;
use papan_rules::{Move, OthelloPosition};

/// A board of 4x4 or 6x6 squares in the middle of 8x8. Squares outside stay empty and are never
/// played; no disc lies there that could flip others, so the bitboards of 8x8 work unchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallBoard {
    side: usize,
    /// Rows and columns of 8x8 before the first one of the board.
    margin: usize,
    pub(super) inside: u64,
    pub(super) corners: u64,
    /// Squares diagonally next to a corner.
    pub(super) x_squares: u64,
    quadrants: [u64; 4],
}

impl SmallBoard {
    pub(super) fn new(side: usize) -> Self {
        let mut board = Self {
            side,
            margin: (8 - side) / 2,
            inside: 0,
            corners: 0,
            x_squares: 0,
            quadrants: [0; 4],
        };
        for cell in 0..side * side {
            let bit = board.square(cell).bit();
            board.inside |= bit;
            let (row, column) = (cell / side, cell % side);
            let half = |coordinate: usize| usize::from(coordinate >= side / 2);
            board.quadrants[2 * half(row) + half(column)] |= bit;
            let is_at = |coordinate: usize, distance: usize| {
                coordinate == distance || coordinate + 1 + distance == side
            };
            if is_at(row, 0) && is_at(column, 0) {
                board.corners |= bit;
            }
            if is_at(row, 1) && is_at(column, 1) {
                board.x_squares |= bit;
            }
        }
        board
    }

    /// Returns the square of 8x8 for a cell of the small board.
    pub(super) fn square(&self, cell: usize) -> Square {
        let (row, column) = (cell / self.side, cell % self.side);
        let index = 8 * (row + self.margin) + column + self.margin;
        Square::of_low_bits(index as u32)
    }

    /// Returns the move on a square as the rules number it.
    pub(super) fn mv(&self, square: Square) -> Move {
        let (row, column) = (square.index() / 8, square.index() % 8);
        Move::on((row - self.margin) * self.side + column - self.margin)
    }

    /// Converts a position of the rules.
    pub(super) fn board(&self, position: &OthelloPosition) -> Board {
        let spread = |discs: u64| {
            let cells = (0..self.side * self.side).filter(|cell| discs >> cell & 1 != 0);
            cells.fold(0, |set, cell| set | self.square(cell).bit())
        };
        let turn = position.turn();
        let (me, opp) = (position.discs(turn), position.discs(turn.other()));
        Board::try_new(spread(me), spread(opp))
            .expect("the rules keep the discs of the two players apart")
    }

    /// Returns the mover's legal moves.
    #[inline(always)]
    pub(super) fn moves(&self, board: Board) -> u64 {
        mobility::moves(board.me(), board.opp()) & self.inside
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub(super) fn empty(&self, board: Board) -> u64 {
        self.inside & !(board.me() | board.opp())
    }

    /// Returns the number of empty squares.
    #[inline(always)]
    pub(super) fn empties(&self, board: Board) -> u32 {
        self.empty(board).count_ones()
    }

    /// Returns the final disc difference; empty squares go to the winner.
    #[inline(always)]
    pub(super) fn final_score(&self, board: Board) -> i32 {
        let (me, opp) = (board.me().count_ones(), board.opp().count_ones());
        let difference = me as i32 - opp as i32;
        difference + difference.signum() * self.empties(board) as i32
    }

    /// Returns the quadrants with an odd number of empty squares (parity).
    #[inline(always)]
    pub(super) fn odd_quadrants(&self, empty: u64) -> u64 {
        let is_odd = |quadrant: &&u64| (empty & **quadrant).count_ones() % 2 == 1;
        self.quadrants
            .iter()
            .filter(is_odd)
            .fold(0, |all, quadrant| all | quadrant)
    }
}
