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

const LEN: usize = 1 << 13;

/// One entry per place; a newer position replaces the older.
pub(crate) struct NearTable {
    entries: Box<[NearEntry; LEN]>,
}

impl NearTable {
    pub(crate) fn new() -> Self {
        let empty = NearEntry {
            board: Board::BARE,
            lower: -64,
            upper: 64,
            mv: Square::of_low_bits(0),
        };
        let entries = vec![empty; LEN].into_boxed_slice().try_into();
        Self {
            entries: entries.unwrap_or_else(|_| unreachable!("the length is that of the array")),
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
            let entry = &raw const self.entries[hash(board) as usize % LEN];
            _mm_prefetch::<_MM_HINT_T0>(entry.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// What is known of the position.
    #[inline(always)]
    pub(crate) fn probe(&self, board: Board) -> Option<NearEntry> {
        let entry = self.entries[hash(board) as usize % LEN];
        (entry.board == board).then_some(entry)
    }

    /// Remembers that the score is at least `lower` and at most `upper`.
    #[inline(always)]
    pub(crate) fn store(&mut self, board: Board, lower: i32, upper: i32, mv: Square) {
        let (lower, upper) = (lower as i8, upper as i8);
        let entry = &mut self.entries[hash(board) as usize % LEN];
        if entry.board == board {
            entry.lower = entry.lower.max(lower);
            entry.upper = entry.upper.min(upper);
            entry.mv = mv;
        } else {
            *entry = NearEntry {
                board,
                lower,
                upper,
                mv,
            };
        }
    }
}
