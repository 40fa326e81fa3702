//! Endgame cache: a small hash table of one thread, for positions near the end.
//!
//! There are many such positions and each saves little work: the shared transposition table would
//! answer from main memory, which is slower than searching. This table stays in the L2 cache.

use crate::board::Board;
use crate::board::square::Square;
use crate::tt::hash;

/// Bounds on the exact score of a position, in discs, and its best move.
#[derive(Clone, Copy)]
pub(super) struct CacheEntry {
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The square's index: a four-byte `Square` would not leave room for three entries in a line.
    mv: u8,
}

impl CacheEntry {
    #[inline(always)]
    pub(super) const fn mv(self) -> Square {
        Square::of_low_bits(self.mv as u32)
    }
}

/// One cache line: a depth-preferred slot, then the two latest of the other positions.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CacheLine {
    boards: [Board; 3],
    entries: [CacheEntry; 3],
}

const _: () = assert!(size_of::<CacheLine>() == 64);

/// Number of lines: half a mebibyte. Half of it takes as long and costs 1 % more nodes.
const LINES: usize = 1 << 13;

/// The endgame cache.
pub(super) struct EndgameCache {
    lines: Box<[CacheLine; LINES]>,
}

impl CacheLine {
    /// Adds a position that is not in this line.
    #[inline(always)]
    fn add(&mut self, board: Board, entry: CacheEntry) {
        let is_shallower = board.empties() < self.boards[0].empties();
        if is_shallower {
            (self.boards[2], self.entries[2]) = (self.boards[1], self.entries[1]);
        }
        let slot = usize::from(is_shallower);
        (self.boards[slot], self.entries[slot]) = (board, entry);
    }
}

impl EndgameCache {
    pub(super) fn new() -> Self {
        let unknown = CacheEntry {
            lower: -64,
            upper: 64,
            mv: 0,
        };
        // A full board is never searched, and every position has more empty squares.
        let line = CacheLine {
            boards: [Board::FULL; 3],
            entries: [unknown; 3],
        };
        let lines = vec![line; LINES].into_boxed_slice().try_into();
        Self {
            lines: lines.unwrap_or_else(|_| unreachable!("the length is that of the array")),
        }
    }

    /// Prefetches the line of a position.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(super) fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch never faults, and the address is inside the table.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = &raw const self.lines[hash(board) as usize % LINES];
            _mm_prefetch::<_MM_HINT_T0>(line.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// Returns the entry of a position.
    #[inline(always)]
    pub(super) fn probe(&self, board: Board) -> Option<CacheEntry> {
        // Written out: a loop, or computing the slot first, is slower.
        let CacheLine { boards, entries } = &self.lines[hash(board) as usize % LINES];
        if boards[0] == board {
            Some(entries[0])
        } else if boards[1] == board {
            Some(entries[1])
        } else {
            (boards[2] == board).then_some(entries[2])
        }
    }

    /// Stores bounds and best move of a position; they narrow the bounds that are known.
    #[inline(always)]
    pub(super) fn store(&mut self, board: Board, lower: i32, upper: i32, mv: Square) {
        let new = CacheEntry {
            lower: lower as i8,
            upper: upper as i8,
            mv: mv.index() as u8,
        };
        let line = &mut self.lines[hash(board) as usize % LINES];
        let slot = if line.boards[0] == board {
            0
        } else if line.boards[1] == board {
            1
        } else if line.boards[2] == board {
            2
        } else {
            line.add(board, new);
            return;
        };
        let entry = &mut line.entries[slot];
        entry.lower = entry.lower.max(new.lower);
        entry.upper = entry.upper.min(new.upper);
        entry.mv = new.mv;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_position;

    #[test]
    fn a_line_keeps_the_deepest_position_and_the_latest_two_others() {
        let mv = Square::of_low_bits(0);
        let deep = random_position(1, 12);
        let line = |board| hash(board) as usize % LINES;
        let mut others = (2..)
            .map(|seed| random_position(seed, 8))
            .filter(|&board| board != deep && line(board) == line(deep));
        let [first, second, third] = [(); 3].map(|()| others.next().expect("seeds do not end"));
        assert!(first != second && first != third && second != third);
        let mut cache = EndgameCache::new();
        for (board, score) in [(deep, 2), (first, 4), (second, 6), (third, 8)] {
            cache.store(board, score, 64, mv);
        }
        let lower = |board| cache.probe(board).map(|entry| entry.lower);
        let kept = [deep, first, second, third].map(lower);
        assert_eq!(kept, [Some(2), None, Some(6), Some(8)]);
    }
}
