//! Squares and bitboards.
//!
//! Squares are numbered row by row from a1 (0) to h8 (63), as in `.obf` files.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A square of the board.
///
/// ```
/// use papan_othello::Square;
///
/// let square: Square = "f5".parse()?;
/// assert_eq!(square.index(), 37);
/// assert_eq!(square.to_string(), "f5");
/// # Ok::<(), papan_othello::SquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u32);

/// A string that is not the name of a square.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a square; expected a1 to h8")]
pub struct SquareError(pub String);

impl Square {
    /// Returns the square with an index below 64.
    #[inline(always)]
    pub const fn new(index: usize) -> Option<Self> {
        if index < 64 {
            Some(Self(index as u32))
        } else {
            None
        }
    }

    /// Returns the square of the lowest bit of a non-empty set.
    #[inline(always)]
    pub(crate) const fn lowest(set: u64) -> Self {
        debug_assert!(set != 0);
        Self(set.trailing_zeros() & 63)
    }

    /// Returns the square of the highest bit of a non-empty set.
    #[inline(always)]
    pub(crate) const fn highest(set: u64) -> Self {
        debug_assert!(set != 0);
        Self(63 ^ (set.leading_zeros() & 63))
    }

    /// Returns the square whose index is the six lowest bits of a number.
    #[inline(always)]
    pub(crate) const fn of_low_bits(bits: u32) -> Self {
        Self(bits & 63)
    }

    /// Returns the index, below 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // Always below 64; the mask lets the compiler drop bounds checks.
        (self.0 & 63) as usize
    }

    /// Returns the bitboard of this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// Iterates over all squares, a1 first.
    pub fn all() -> Squares {
        Squares(!0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = (b'a' + (self.0 & 7) as u8) as char;
        write!(f, "{column}{}", (self.0 >> 3) + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    /// Parses a name such as `f5` or `F5`.
    fn from_str(name: &str) -> Result<Self, SquareError> {
        let error = || SquareError(name.to_owned());
        let &[column, row] = name.as_bytes() else {
            return Err(error());
        };
        let column = column.to_ascii_lowercase().wrapping_sub(b'a');
        let row = row.wrapping_sub(b'1');
        if column < 8 && row < 8 {
            Ok(Self(u32::from(8 * row + column)))
        } else {
            Err(error())
        }
    }
}

/// A set of squares (bitboard), and an iterator over it, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Squares(pub(crate) u64);

impl Squares {
    /// Returns the bits; bit 0 is a1 and bit 63 is h8.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set contains a square.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }

    /// Returns the set without a square.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bit())
    }
}

impl std::ops::Not for Squares {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::lowest(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_names_round_trip() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
            assert_eq!(Square::new(square.index()), Some(square));
        }
        for wrong in ["i1", "a9", "a", "", "a11", "é"] {
            assert_eq!(wrong.parse::<Square>(), Err(SquareError(wrong.into())));
        }
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn a_set_iterates_lowest_square_first() {
        let set = Squares(1 << 63 | 1 << 9 | 1);
        let names: Vec<String> = set.map(|square| square.to_string()).collect();
        assert_eq!(names, ["a1", "b2", "h8"]);
        assert_eq!((set.len(), Square::highest(set.bits()).index()), (3, 63));
        let b2 = Square::lowest(1 << 9);
        assert!(set.contains(b2) && !set.without(b2).contains(b2));
    }
}
