//! Which squares of 8x8 a smaller board has, and how its cells are numbered there.

use crate::board::Board;
use crate::board::mobility;
use crate::board::square::Square;
use papan_rules::{Move, OthelloPosition};

/// A board in the middle of 8x8. What lies outside stays empty and is never played: no disc
/// is there to turn another, so that the bitboards of 8x8 serve as they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    side: usize,
    /// Rows and columns of 8x8 before the first of the board.
    margin: usize,
    pub(super) inside: u64,
    pub(super) corners: u64,
    /// The squares diagonally next to each corner.
    pub(super) beside: u64,
    quadrants: [u64; 4],
}

impl Field {
    pub(super) fn new(side: usize) -> Self {
        let mut field = Self {
            side,
            margin: (8 - side) / 2,
            inside: 0,
            corners: 0,
            beside: 0,
            quadrants: [0; 4],
        };
        for cell in 0..side * side {
            let bit = field.square(cell).bit();
            field.inside |= bit;
            let (row, column) = (cell / side, cell % side);
            let far = |place: usize| usize::from(place >= side / 2);
            field.quadrants[2 * far(row) + far(column)] |= bit;
            let edge = |place: usize, from: usize| place == from || place + 1 + from == side;
            if edge(row, 0) && edge(column, 0) {
                field.corners |= bit;
            }
            if edge(row, 1) && edge(column, 1) {
                field.beside |= bit;
            }
        }
        field
    }

    /// Where a cell of the small board lies on 8x8.
    pub(super) fn square(&self, cell: usize) -> Square {
        let (row, column) = (cell / self.side, cell % self.side);
        let index = 8 * (row + self.margin) + column + self.margin;
        Square::of_low_bits(index as u32)
    }

    /// The move on a square, as the rules number it.
    pub(super) fn mv(&self, square: Square) -> Move {
        let (row, column) = (square.index() / 8, square.index() % 8);
        Move::on((row - self.margin) * self.side + column - self.margin)
    }

    /// A position of the rules.
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

    #[inline(always)]
    pub(super) fn moves(&self, board: Board) -> u64 {
        mobility::moves(board.me(), board.opp()) & self.inside
    }

    #[inline(always)]
    pub(super) fn empty(&self, board: Board) -> u64 {
        self.inside & !(board.me() | board.opp())
    }

    /// The final difference in discs, empty squares going to the winner.
    #[inline(always)]
    pub(super) fn settled(&self, board: Board) -> i32 {
        let (me, opp) = (board.me().count_ones(), board.opp().count_ones());
        let difference = me as i32 - opp as i32;
        difference + difference.signum() * self.empty(board).count_ones() as i32
    }

    /// The squares of quadrants with an odd number of empty squares: whoever plays there
    /// first also plays there last.
    #[inline(always)]
    pub(super) fn odd(&self, empty: u64) -> u64 {
        let is_odd = |quadrant: &&u64| (empty & **quadrant).count_ones() % 2 == 1;
        self.quadrants
            .iter()
            .filter(is_odd)
            .fold(0, |all, q| all | q)
    }
}
