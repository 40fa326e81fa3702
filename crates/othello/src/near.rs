//! A small hash table of one thread's own, for positions near the end.
//!
//! They are many and each is worth little: the shared table would answer from main memory,
//! slower than searching. This one stays in the cache.

use crate::board::Board;
use crate::square::Square;
use crate::table::hash;

/// What is known of a position near the end: bounds on its exact score and a good move.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct NearEntry {
    board: Board,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    pub(crate) mv: Square,
}

/// One cache line: a position that took long to search, then the latest of the others.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Pair([NearEntry; 2]);

const LEN: usize = 1 << 13;

/// The pairs, each position having its place in one of them.
pub(crate) struct NearTable {
    pairs: Box<[Pair; LEN]>,
}

impl NearTable {
    pub(crate) fn new() -> Self {
        // Any position has more empty squares, and takes its place.
        let none = NearEntry {
            board: Board::FULL,
            lower: -64,
            upper: 64,
            mv: Square::of_low_bits(0),
        };
        let pairs = vec![Pair([none; 2]); LEN].into_boxed_slice().try_into();
        Self {
            pairs: pairs.unwrap_or_else(|_| unreachable!("the length is that of the array")),
        }
    }

    /// Asks the processor to have the position's entry ready.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch never faults, and the address is inside the table.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let pair = &raw const self.pairs[hash(board) as usize % LEN];
            _mm_prefetch::<_MM_HINT_T0>(pair.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// What is known of the position.
    #[inline(always)]
    pub(crate) fn probe(&self, board: Board) -> Option<NearEntry> {
        let Pair([first, second]) = &self.pairs[hash(board) as usize % LEN];
        if first.board == board {
            Some(*first)
        } else {
            (second.board == board).then_some(*second)
        }
    }

    /// Remembers that the score is at least `lower` and at most `upper`.
    #[inline(always)]
    pub(crate) fn store(&mut self, board: Board, lower: i32, upper: i32, mv: Square) {
        let (lower, upper) = (lower as i8, upper as i8);
        let Pair(pair) = &mut self.pairs[hash(board) as usize % LEN];
        let at = if pair[0].board == board {
            0
        } else if pair[1].board == board {
            1
        } else {
            let takes_less = board.empties() < pair[0].board.empties();
            pair[usize::from(takes_less)] = NearEntry {
                board,
                lower,
                upper,
                mv,
            };
            return;
        };
        let known = &mut pair[at];
        known.lower = known.lower.max(lower);
        known.upper = known.upper.min(upper);
        known.mv = mv;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_position;

    #[test]
    fn a_position_that_took_longer_stays_and_the_latest_of_the_others() {
        let mv = Square::of_low_bits(0);
        let long = random_position(1, 12);
        let place = |board| hash(board) as usize % LEN;
        let mut others = (2..)
            .map(|seed| random_position(seed, 8))
            .filter(|&board| board != long && place(board) == place(long));
        let [first, second] = [(); 2].map(|()| others.next().expect("seeds do not end"));
        assert_ne!(first, second);
        let mut near = NearTable::new();
        for (board, score) in [(long, 2), (first, 4), (second, 6)] {
            near.store(board, score, 64, mv);
        }
        let lower = |board| near.probe(board).map(|entry| entry.lower);
        assert_eq!([long, first, second].map(lower), [Some(2), None, Some(6)]);
    }
}
