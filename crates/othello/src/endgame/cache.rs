//! A small hash table of one thread's own, for positions near the end.
//!
//! They are many and each is worth little: the shared table would answer from main memory,
//! slower than searching. This one stays in the cache.

use crate::board::Board;
use crate::board::square::Square;
use crate::tt::hash;

/// What is known of a position near the end: bounds on its exact score and a good move.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    /// Its number, in a byte: a square of four would not leave room for three positions in a line.
    mv: u8,
}

impl Known {
    /// The move.
    #[inline(always)]
    pub(crate) const fn mv(self) -> Square {
        Square::of_low_bits(self.mv as u32)
    }
}

/// One cache line: a position that took long to search, then the latest two of the others.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    boards: [Board; 3],
    known: [Known; 3],
}

const _: () = assert!(size_of::<Line>() == 64);

/// Half a mebibyte: half as many take as long and cost one node in a hundred more.
const LEN: usize = 1 << 13;

/// The lines, each position having its place in one of them.
pub(crate) struct NearTable {
    lines: Box<[Line; LEN]>,
}

impl Line {
    /// Remembers a position that does not stand here yet.
    #[inline(always)]
    fn add(&mut self, board: Board, known: Known) {
        let takes_less = board.empties() < self.boards[0].empties();
        if takes_less {
            (self.boards[2], self.known[2]) = (self.boards[1], self.known[1]);
        }
        let at = usize::from(takes_less);
        (self.boards[at], self.known[at]) = (board, known);
    }
}

impl NearTable {
    pub(crate) fn new() -> Self {
        let known = Known {
            lower: -64,
            upper: 64,
            mv: 0,
        };
        // Any position has more empty squares, and takes its place.
        let none = Line {
            boards: [Board::FULL; 3],
            known: [known; 3],
        };
        let lines = vec![none; LEN].into_boxed_slice().try_into();
        Self {
            lines: lines.unwrap_or_else(|_| unreachable!("the length is that of the array")),
        }
    }

    /// Asks the processor to have the position's line ready.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch never faults, and the address is inside the table.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = &raw const self.lines[hash(board) as usize % LEN];
            _mm_prefetch::<_MM_HINT_T0>(line.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// What is known of the position.
    #[inline(always)]
    pub(crate) fn probe(&self, board: Board) -> Option<Known> {
        // One comparison after the other: a loop, or the place first, is slower.
        let Line { boards, known } = &self.lines[hash(board) as usize % LEN];
        if boards[0] == board {
            Some(known[0])
        } else if boards[1] == board {
            Some(known[1])
        } else {
            (boards[2] == board).then_some(known[2])
        }
    }

    /// Remembers that the score is at least `lower` and at most `upper`.
    #[inline(always)]
    pub(crate) fn store(&mut self, board: Board, lower: i32, upper: i32, mv: Square) {
        let (lower, upper, mv) = (lower as i8, upper as i8, mv.index() as u8);
        let line = &mut self.lines[hash(board) as usize % LEN];
        let at = if line.boards[0] == board {
            0
        } else if line.boards[1] == board {
            1
        } else if line.boards[2] == board {
            2
        } else {
            line.add(board, Known { lower, upper, mv });
            return;
        };
        let known = &mut line.known[at];
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
    fn a_position_that_took_longer_stays_and_the_latest_two_of_the_others() {
        let mv = Square::of_low_bits(0);
        let long = random_position(1, 12);
        let place = |board| hash(board) as usize % LEN;
        let mut others = (2..)
            .map(|seed| random_position(seed, 8))
            .filter(|&board| board != long && place(board) == place(long));
        let [first, second, third] = [(); 3].map(|()| others.next().expect("seeds do not end"));
        assert!(first != second && first != third && second != third);
        let mut near = NearTable::new();
        for (board, score) in [(long, 2), (first, 4), (second, 6), (third, 8)] {
            near.store(board, score, 64, mv);
        }
        let lower = |board| near.probe(board).map(|known| known.lower);
        let kept = [long, first, second, third].map(lower);
        assert_eq!(kept, [Some(2), None, Some(6), Some(8)]);
    }
}
