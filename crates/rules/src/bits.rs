//! Bitboards: sets of cells as bits, one word for up to 64 cells and seven for up to 448.
//!
//! The width is the only property of a board that is a type parameter.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr};

use crate::Move;

/// A set of cells.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + 'static
{
    /// The empty set.
    const EMPTY: Self;
    /// Maximum number of cells of a set of this width.
    const CAPACITY: usize;

    /// Returns the set of one cell.
    fn single(cell: usize) -> Self;
    /// Returns whether the cell is in the set.
    fn contains(self, cell: usize) -> bool;
    /// Returns this set without the cells of another.
    #[must_use]
    fn without(self, other: Self) -> Self;
    /// Returns the number of cells in the set.
    fn count(self) -> u32;
    /// Returns the first 64 cells as a word.
    fn low_word(self) -> u64;
    /// Returns the first cell, if there is one.
    fn first(self) -> Option<usize>;
    /// Returns this set without its first cell.
    #[must_use]
    fn without_first(self) -> Self;

    /// Shifts every cell `n` places towards the first; cells shifted out are dropped.
    #[must_use]
    fn moved_down(self, n: usize) -> Self;
    /// Shifts every cell `n` places away from the first; cells shifted out are dropped.
    #[must_use]
    fn moved_up(self, n: usize) -> Self;

    /// Returns the set of the cells whose bits are set in a word.
    fn from_low_word(word: u64) -> Self;

    /// Returns this set without its first `n` cells.
    #[must_use]
    #[inline]
    fn skip(self, n: usize) -> Self {
        (0..n).fold(self, |set, _| set.without_first())
    }
    /// Returns the cell after the first `n`, if there is one.
    #[inline]
    fn nth(self, n: usize) -> Option<usize> {
        self.skip(n).first()
    }
    /// Returns whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
    /// Returns whether all of `other` is in the set.
    #[inline]
    fn covers(self, other: Self) -> bool {
        self & other == other
    }
    /// Returns whether the sets share a cell.
    #[inline]
    fn meets(self, other: Self) -> bool {
        self & other != Self::EMPTY
    }
    /// Returns the set of the first `n` cells.
    fn below(n: usize) -> Self {
        (0..n).fold(Self::EMPTY, |set, cell| set | Self::single(cell))
    }
    /// Iterates over the cells, first to last.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// Iterates over the cells of a set, first to last.
#[derive(Clone, Copy, Debug)]
pub struct Cells<B>(B);

impl<B: Bits> Iterator for Cells<B> {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        let cell = self.0.first()?;
        self.0 = self.0.without_first();
        Some(cell)
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count() as usize;
        (n, Some(n))
    }
    #[inline]
    fn count(self) -> usize {
        self.0.count() as usize
    }
    #[inline]
    fn nth(&mut self, n: usize) -> Option<usize> {
        let cell = self.0.nth(n);
        self.0 = self.0.skip(n).without_first();
        cell
    }
}

/// The cells of a set as moves, followed by a pass if there is one.
#[derive(Clone, Copy, Debug)]
pub struct CellMoves<B> {
    cells: Cells<B>,
    pass: bool,
}

impl<B: Bits> CellMoves<B> {
    /// Returns one move per cell.
    #[inline]
    #[must_use]
    pub fn on(set: B) -> Self {
        Self {
            cells: set.cells(),
            pass: false,
        }
    }
    /// Returns a pass only.
    #[must_use]
    pub fn pass() -> Self {
        Self {
            cells: B::EMPTY.cells(),
            pass: true,
        }
    }
}

impl<B: Bits> Iterator for CellMoves<B> {
    type Item = Move;
    #[inline]
    fn next(&mut self) -> Option<Move> {
        if let Some(cell) = self.cells.next() {
            return Some(Move::on(cell));
        }
        std::mem::take(&mut self.pass).then_some(Move::PASS)
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.cells.size_hint().0 + usize::from(self.pass);
        (n, Some(n))
    }
    #[inline]
    fn count(self) -> usize {
        self.size_hint().0
    }
    #[inline]
    fn nth(&mut self, n: usize) -> Option<Move> {
        if let Some(cell) = self.cells.nth(n) {
            return Some(Move::on(cell));
        }
        (n == 0 && std::mem::take(&mut self.pass)).then_some(Move::PASS)
    }
}

impl<B: Bits> ExactSizeIterator for CellMoves<B> {}

impl Bits for u64 {
    const EMPTY: Self = 0;
    const CAPACITY: usize = 64;
    #[inline]
    fn single(cell: usize) -> Self {
        1 << cell
    }
    #[inline]
    fn contains(self, cell: usize) -> bool {
        self >> cell & 1 != 0
    }
    #[inline]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn low_word(self) -> u64 {
        self
    }
    #[inline]
    fn first(self) -> Option<usize> {
        (self != 0).then(|| self.trailing_zeros() as usize)
    }
    #[inline]
    fn without_first(self) -> Self {
        self & self.wrapping_sub(1)
    }
    #[inline]
    fn skip(mut self, n: usize) -> Self {
        // A loop of random length would be mispredicted once per random move; powers of two are
        // chosen without a branch.
        let drop = |set: Self, count: u32| (0..count).fold(set, |set, _| set.without_first());
        for _ in 0..n / 8 {
            self = drop(self, 8);
        }
        for power in [4, 2, 1] {
            let dropped = drop(self, power);
            self = if n & power as usize != 0 {
                dropped
            } else {
                self
            };
        }
        self
    }
    // PDEP replaces ten dependent instructions.
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[expect(unsafe_code, reason = "the standard library has no other name for it")]
    #[inline]
    fn nth(self, n: usize) -> Option<usize> {
        let nth = 1_u64.checked_shl(u32::try_from(n).ok()?)?;
        // SAFETY: the program is built for processors that have BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(nth, self) }.first()
    }
    #[inline]
    fn moved_down(self, n: usize) -> Self {
        if n < 64 { self >> n } else { 0 }
    }
    #[inline]
    fn moved_up(self, n: usize) -> Self {
        if n < 64 { self << n } else { 0 }
    }
    #[inline]
    fn from_low_word(word: u64) -> Self {
        word
    }
}

const WORDS: usize = 7;

/// A set of up to 448 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wide([u64; WORDS]);

impl Wide {
    /// Adds a cell that is not in the set, or removes one that is.
    #[inline]
    pub fn toggle(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }
}

impl BitAnd for Wide {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Wide {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Bits for Wide {
    const EMPTY: Self = Self([0; WORDS]);
    const CAPACITY: usize = 64 * WORDS;
    #[inline]
    fn single(cell: usize) -> Self {
        let mut words = [0; WORDS];
        words[cell / 64] = 1 << (cell % 64);
        Self(words)
    }
    #[inline]
    fn contains(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }
    #[inline]
    fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline]
    fn low_word(self) -> u64 {
        self.0[0]
    }
    #[inline]
    fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }
    #[inline]
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }
    #[inline]
    fn moved_down(self, n: usize) -> Self {
        let (words, bits) = (n / 64, n % 64);
        let word = |at: usize| self.0.get(at + words).copied().unwrap_or(0);
        // In two steps, because shifting a word by its whole width is undefined.
        Self(std::array::from_fn(|at| {
            word(at) >> bits | word(at + 1) << 1 << (63 - bits)
        }))
    }
    #[inline]
    fn moved_up(self, n: usize) -> Self {
        let (words, bits) = (n / 64, n % 64);
        let word = |at: usize| at.checked_sub(words).map_or(0, |at| self.0[at]);
        let below = |at: usize| at.checked_sub(words + 1).map_or(0, |at| self.0[at]);
        Self(std::array::from_fn(|at| {
            word(at) << bits | below(at) >> 1 >> (63 - bits)
        }))
    }
    #[inline]
    fn from_low_word(word: u64) -> Self {
        let mut words = [0; WORDS];
        words[0] = word;
        Self(words)
    }
    #[inline]
    fn skip(mut self, mut n: usize) -> Self {
        for word in &mut self.0 {
            let cells = word.count_ones() as usize;
            if n < cells {
                *word = word.skip(n);
                break;
            }
            n -= cells;
            *word = 0;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_widths_agree_on_small_sets() {
        let cells = [0, 1, 5, 31, 62, 63];
        let narrow = cells.iter().fold(u64::EMPTY, |s, &c| s | u64::single(c));
        let wide = cells.iter().fold(Wide::EMPTY, |s, &c| s | Wide::single(c));
        assert_eq!(narrow.cells().collect::<Vec<_>>(), cells);
        assert_eq!(wide.cells().collect::<Vec<_>>(), cells);
        assert_eq!(narrow.count(), wide.count());
        assert!(wide.covers(Wide::single(31)) && !wide.meets(Wide::single(30)));
    }

    #[test]
    fn any_cell_is_found_by_its_place() {
        let mut random = crate::SplitMix::new(1);
        let sets = (0..200).map(|_| random.next() & random.next());
        for set in sets.chain([0, 1, 1 << 63, u64::MAX]) {
            let cells: Vec<usize> = set.cells().collect();
            for n in (0..=65).chain([usize::MAX / 2, usize::MAX]) {
                assert_eq!(set.nth(n), cells.get(n).copied(), "{set:x} at {n}");
            }
            for n in 0..cells.len() {
                let mut rest = set.cells();
                assert_eq!(rest.nth(n), Some(cells[n]));
                assert_eq!(rest.collect::<Vec<_>>(), cells[n + 1..]);
            }
        }
    }

    #[test]
    fn sets_move_as_their_cells_do() {
        fn check<B: Bits>(cells: &[usize]) {
            let set_of = |cells: &mut dyn Iterator<Item = usize>| {
                cells.fold(B::EMPTY, |set, cell| set | B::single(cell))
            };
            let set = set_of(&mut cells.iter().copied());
            for n in (0..200).chain([447, 448, 1000]) {
                let down = set_of(&mut cells.iter().filter_map(|cell| cell.checked_sub(n)));
                let up = cells.iter().map(|cell| cell + n);
                let up = set_of(&mut up.filter(|&cell| cell < B::CAPACITY));
                assert_eq!((set.moved_down(n), set.moved_up(n)), (down, up), "by {n}");
            }
        }
        check::<u64>(&[0, 1, 5, 31, 62, 63]);
        check::<Wide>(&[0, 1, 63, 64, 65, 127, 128, 200, 320, 446, 447]);
    }

    #[test]
    fn a_wide_set_reaches_past_four_hundred_cells() {
        let set = Wide::single(63) | Wide::single(64) | Wide::single(447);
        assert_eq!(set.cells().collect::<Vec<_>>(), [63, 64, 447]);
        assert_eq!(set.without(Wide::single(64)).count(), 2);
        assert_eq!(Wide::below(400).count(), 400);
        for n in 0..=400 {
            let all: Vec<usize> = Wide::below(400).cells().collect();
            assert_eq!(Wide::below(400).cells().nth(n), all.get(n).copied());
        }
    }
}
