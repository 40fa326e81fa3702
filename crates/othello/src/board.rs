//! The board as the search sees it: the mover's discs and the opponent's.

use crate::{flip, mobility};
use std::fmt;

/// A position, from the side of the player to move.
///
/// ```
/// use papan_othello::Board;
///
/// let board = Board::START;
/// assert_eq!(board.moves().count_ones(), 4);
/// let after = board.play(37).expect("f5 is a legal first move");
/// assert_eq!(after.empties(), 59);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The discs of the player to move, bit 0 being a1 and bit 63 h8.
    pub me: u64,
    /// The discs of the other player.
    pub opp: u64,
}

impl Board {
    /// The start of a game, black to move.
    pub const START: Self = Self {
        me: 0x0000_0008_1000_0000,
        opp: 0x0000_0010_0800_0000,
    };

    /// The squares without a disc.
    #[inline(always)]
    pub const fn empty_squares(self) -> u64 {
        !(self.me | self.opp)
    }

    /// How many squares are empty.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty_squares().count_ones()
    }

    /// The squares where the mover may play; 0 means a pass, or the end.
    #[inline(always)]
    pub fn moves(self) -> u64 {
        mobility::moves(self.me, self.opp)
    }

    /// The discs that the mover turns by playing on `square`, which must be empty.
    #[inline(always)]
    pub fn flips(self, square: usize) -> u64 {
        flip::flips(self.me, self.opp, square)
    }

    /// The position after the move, the other side to move; `None` when it is not legal.
    pub fn play(self, square: usize) -> Option<Self> {
        if square >= 64 || self.empty_squares() >> square & 1 == 0 {
            return None;
        }
        match self.flips(square) {
            0 => None,
            flips => Some(self.after(square, flips)),
        }
    }

    /// The position after a move on `square` that turns `flips`.
    #[inline(always)]
    pub(crate) const fn after(self, square: usize, flips: u64) -> Self {
        Self {
            me: self.opp ^ flips,
            opp: self.me ^ flips ^ (1 << square),
        }
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    pub const fn passed(self) -> Self {
        Self {
            me: self.opp,
            opp: self.me,
        }
    }

    /// Whether neither side can move.
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.passed().moves() == 0
    }

    /// The final difference in discs for the mover, empty squares going to the winner.
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

    /// The position under one of the eight symmetries of the board: bit 0 of `symmetry`
    /// mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns.
    pub fn transformed(self, symmetry: u8) -> Self {
        Self {
            me: transform(self.me, symmetry),
            opp: transform(self.opp, symmetry),
        }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in 0..64 {
            let bit = 1u64 << square;
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

/// The name of a square, such as `f5`.
pub fn square_name(square: usize) -> String {
    format!(
        "{}{}",
        (b'a' + (square & 7) as u8) as char,
        (square >> 3 & 7) + 1
    )
}

/// The square of a name such as `f5` or `F5`.
pub fn square_of(name: &str) -> Option<usize> {
    let &[column, row] = name.as_bytes() else {
        return None;
    };
    let column = column.to_ascii_lowercase().wrapping_sub(b'a');
    let row = row.wrapping_sub(b'1');
    (column < 8 && row < 8).then(|| usize::from(row) * 8 + usize::from(column))
}

/// The squares of a set, lowest first.
#[derive(Clone, Copy)]
pub(crate) struct Squares(pub(crate) u64);

impl Iterator for Squares {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_the_number_of_moves() {
        let board = Board::START
            .play(37)
            .and_then(|b| b.play(45))
            .expect("f5 f6 is legal");
        for symmetry in 0..8 {
            assert_eq!(
                board.transformed(symmetry).moves().count_ones(),
                board.moves().count_ones()
            );
        }
    }

    #[test]
    fn square_names_go_there_and_back() {
        for square in 0..64 {
            assert_eq!(square_of(&square_name(square)), Some(square));
        }
        assert_eq!(square_of("i1"), None);
        assert_eq!(square_of("a9"), None);
        assert_eq!(square_of("a"), None);
    }

    #[test]
    fn empty_squares_go_to_the_winner() {
        assert_eq!(Board { me: 1, opp: 0 }.final_score(), 64);
        assert_eq!(Board { me: 0, opp: 3 }.final_score(), -64);
        assert_eq!(Board { me: 1, opp: 2 }.final_score(), 0);
    }
}
