//! Bitboards of an Othello position: the mover's discs and the opponent's.
//!
//! | file | contents |
//! |---|---|
//! | [`square`], [`geometry`] | squares, sets of squares, rays and quadrants |
//! | [`flip`], [`mobility`], [`stability`] | the bit tricks, each for AVX2 and portable |
//! | [`perft`] | move generator test |

pub(crate) mod flip;
pub(crate) mod geometry;
pub(crate) mod mobility;
pub(crate) mod perft;
pub(crate) mod square;
pub(crate) mod stability;

use crate::board::square::{Square, Squares};
use std::fmt;
use thiserror::Error;

/// A position from the point of view of the player to move.
///
/// ```
/// use papan_othello::{Board, Square};
///
/// let board = Board::START;
/// assert_eq!(board.moves().len(), 4);
/// let f5: Square = "f5".parse()?;
/// let after = board.play(f5).expect("f5 is a legal first move");
/// assert_eq!(after.empties(), 59);
/// # Ok::<(), papan_othello::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    me: u64,
    opp: u64,
}

/// A square holds discs of both players.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0} holds discs of both players; a square holds at most one disc")]
pub struct OverlapError(pub Square);

impl Board {
    /// The initial position, black to move.
    pub const START: Self = Self {
        me: 0x0000_0008_1000_0000,
        opp: 0x0000_0010_0800_0000,
    };

    /// A board without discs, which no game reaches.
    pub(crate) const BARE: Self = Self { me: 0, opp: 0 };

    /// A board without empty squares, which is never searched.
    pub(crate) const FULL: Self = Self { me: !0, opp: 0 };

    /// Creates a position from the mover's discs and the opponent's; bit 0 is a1 and bit 63 is h8.
    ///
    /// ```
    /// use papan_othello::Board;
    ///
    /// assert!(Board::try_new(0b01, 0b10).is_ok());
    /// assert!(Board::try_new(0b11, 0b10).is_err());
    /// ```
    ///
    /// # Errors
    /// When a square holds discs of both players.
    pub const fn try_new(me: u64, opp: u64) -> Result<Self, OverlapError> {
        if me & opp == 0 {
            Ok(Self { me, opp })
        } else {
            Err(OverlapError(Square::lowest(me & opp)))
        }
    }

    /// Returns the discs of the player to move.
    #[inline(always)]
    pub const fn me(self) -> u64 {
        self.me
    }

    /// Returns the discs of the opponent.
    #[inline(always)]
    pub const fn opp(self) -> u64 {
        self.opp
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub const fn empty_squares(self) -> Squares {
        Squares(!(self.me | self.opp))
    }

    /// Returns the number of empty squares.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty_squares().len()
    }

    /// Returns the mover's legal moves; an empty set means a pass or the end of the game.
    #[inline(always)]
    pub fn moves(self) -> Squares {
        Squares(mobility::moves(self.me, self.opp))
    }

    /// Returns the discs that the mover flips by playing on `square`, which must be empty.
    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        flip::flips(self.me, self.opp, square)
    }

    /// Returns the position after a move, with the other side to move; `None` if it is illegal.
    pub fn play(self, square: Square) -> Option<Self> {
        if !self.empty_squares().contains(square) {
            return None;
        }
        match self.flips(square) {
            0 => None,
            flips => Some(self.after(square, flips)),
        }
    }

    /// Returns the position after a move on `square` that flips `flips`.
    #[inline(always)]
    pub(crate) const fn after(self, square: Square, flips: u64) -> Self {
        debug_assert!(flips & !self.opp == 0 && self.empty_squares().contains(square));
        Self {
            me: self.opp ^ flips,
            opp: self.me ^ flips ^ square.bit(),
        }
    }

    /// Returns the position after a legal move.
    #[inline(always)]
    pub(crate) fn child(self, square: Square) -> Self {
        self.after(square, self.flips(square))
    }

    /// Returns the position after a pass: the same discs with the other side to move.
    #[inline(always)]
    pub const fn passed(self) -> Self {
        Self {
            me: self.opp,
            opp: self.me,
        }
    }

    /// Returns whether the game is over: neither side can move.
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && self.passed().moves().is_empty()
    }

    /// Returns the final disc difference for the mover; empty squares go to the winner.
    #[inline(always)]
    pub const fn final_score(self) -> i32 {
        let mine = self.me.count_ones() as i32;
        let theirs = self.opp.count_ones() as i32;
        let difference = mine - theirs;
        let empty = 64 - mine - theirs;
        if difference > 0 {
            difference + empty
        } else if difference < 0 {
            difference - empty
        } else {
            0
        }
    }

    /// Returns the image under one of the eight symmetries of the board: bit 0 of `symmetry` mirrors
    /// left and right, bit 1 top and bottom, bit 2 swaps rows and columns.
    pub fn transformed(self, symmetry: u8) -> Self {
        Self {
            me: transform(self.me, symmetry),
            opp: transform(self.opp, symmetry),
        }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::all() {
            let bit = square.bit();
            let sign = if self.me & bit != 0 {
                'X'
            } else if self.opp & bit != 0 {
                'O'
            } else {
                '-'
            };
            write!(f, "{sign}")?;
        }
        write!(f, " X")
    }
}

fn transform(mut bits: u64, symmetry: u8) -> u64 {
    if symmetry & 1 != 0 {
        bits = bits.swap_bytes().reverse_bits();
    }
    if symmetry & 2 != 0 {
        bits = bits.swap_bytes();
    }
    if symmetry & 4 != 0 {
        let mut swapped = 0;
        for square in 0..64 {
            swapped |= (bits >> square & 1) << (square % 8 * 8 + square / 8);
        }
        bits = swapped;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_the_number_of_moves() {
        let board = crate::testing::random_position(11, 40);
        for symmetry in 0..8 {
            assert_eq!(
                board.transformed(symmetry).moves().len(),
                board.moves().len()
            );
        }
    }

    #[test]
    fn empty_squares_go_to_the_winner() {
        let score = |me, opp| Board::try_new(me, opp).map(Board::final_score);
        assert_eq!(score(1, 0), Ok(64));
        assert_eq!(score(0, 3), Ok(-64));
        assert_eq!(score(1, 2), Ok(0));
    }

    #[test]
    fn an_overlap_is_reported_by_the_name_of_the_square() {
        let error = Board::try_new(!0, 1 << 37).expect_err("f5 is taken twice");
        assert_eq!(
            error.to_string(),
            "f5 holds discs of both players; a square holds at most one disc"
        );
    }
}
