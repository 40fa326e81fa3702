//! Transposition table, shared by all search threads.
//!
//! A power-of-two array of cache-line clusters ([`cluster`]) in huge pages. Lookups are lock-free;
//! a lost or overwritten entry costs time, not correctness.
//! See <https://www.chessprogramming.org/Transposition_Table>.
#![allow(unsafe_code)]

pub(crate) mod cluster;
pub(crate) mod sync;

use crate::board::Board;
use crate::tt::cluster::{Cluster, EPOCHS, Entry, Generation};
use papan_os::HugePages;
use papan_rules::WideProduct;
use std::sync::atomic::{AtomicU32, Ordering};

/// The transposition table.
pub(crate) struct TranspositionTable {
    pages: HugePages,
    /// Number of clusters, a power of two.
    len: usize,
    /// Incremented by [`clear`](Self::clear).
    epoch: u32,
    /// Parity of the current search's number.
    search: AtomicU32,
}

impl TranspositionTable {
    /// Allocates a table of at most `mib` mebibytes: the largest power of two that fits, at least
    /// 1 MiB. Returns `None` when there is not enough memory.
    pub(crate) fn new(mib: usize) -> Option<Self> {
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        let len = 1usize << (bytes / size_of::<Cluster>()).ilog2();
        // A zeroed cluster is empty: no position is without discs.
        let pages = HugePages::zeroed(len * size_of::<Cluster>())?;
        Some(Self {
            pages,
            len,
            epoch: 0,
            search: AtomicU32::new(0),
        })
    }

    #[inline(always)]
    fn cluster(&self, board: Board) -> &Cluster {
        let index = hash(board) as usize & (self.len - 1);
        // SAFETY: the index is below `len`. The pages hold `len` clusters, are aligned for them,
        // and are zeroed, which is a valid state of their atomics.
        unsafe { self.pages.start().cast::<Cluster>().add(index).as_ref() }
    }

    /// Prefetches the cluster of a board.
    #[inline(always)]
    pub(crate) fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch never faults, and the address is inside the table.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.cluster(board)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// Returns the entry of a board.
    #[inline(always)]
    pub(crate) fn probe(&self, board: Board) -> Option<Entry> {
        self.cluster(board).probe(board, self.epoch)
    }

    /// Stores an entry.
    #[inline(always)]
    pub(crate) fn store(&self, board: Board, entry: Entry) {
        let generation = Generation {
            epoch: self.epoch,
            search: self.search.load(Ordering::Relaxed),
        };
        self.cluster(board).store(board, entry, generation);
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    pub(crate) fn new_search(&self) {
        self.search.fetch_xor(1, Ordering::Relaxed);
    }

    /// Removes all entries. Only when the epochs have run out is the memory zeroed, by `threads`
    /// threads.
    pub(crate) fn clear(&mut self, threads: usize) {
        self.search.store(0, Ordering::Relaxed);
        self.epoch = (self.epoch + 1) % EPOCHS;
        if self.epoch > 0 {
            return;
        }
        let bytes = self.len * size_of::<Cluster>();
        // SAFETY: the allocation has this size, `&mut self` excludes other users, and zeroed
        // clusters are empty.
        let memory = unsafe { std::slice::from_raw_parts_mut(self.pages.start().as_ptr(), bytes) };
        std::thread::scope(|scope| {
            let mut chunks = memory.chunks_mut(bytes.div_ceil(threads.max(1)));
            let own = chunks.next();
            for chunk in chunks {
                scope.spawn(|| chunk.fill(0));
            }
            own.into_iter().for_each(|chunk| chunk.fill(0));
        });
    }
}

/// Hashes a board. Multiplying the two halves mixes every disc into the low bits.
#[inline(always)]
pub(crate) fn hash(board: Board) -> u64 {
    let a = board.me() ^ 0x9e37_79b9_7f4a_7c15;
    let b = board.opp().rotate_left(29) ^ 0xd1b5_4a32_d192_ed03;
    let product = WideProduct::new(a, b);
    let folded = product.low ^ product.high;
    folded ^ folded >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::square::Square;
    use crate::eval::score::SCORE_MAX;
    use crate::search::selectivity::Selectivity;
    use crate::tt::cluster::Bound;

    #[test]
    fn a_stored_entry_is_found_until_the_table_is_cleared() {
        let mut tt = TranspositionTable::new(1).expect("1 MiB is available");
        let entry = Entry {
            score: -SCORE_MAX as i16,
            bound: Bound::Upper,
            mv: Square::of_low_bits(63),
            depth: 60,
            selectivity: Selectivity::Exact,
        };
        assert_eq!(tt.probe(Board::START), None);
        tt.store(Board::START, entry);
        assert_eq!(tt.probe(Board::START), Some(entry));
        assert_eq!(tt.probe(Board::START.passed()), None);
        for _ in 0..2 * EPOCHS {
            tt.clear(2);
            assert_eq!(tt.probe(Board::START), None);
            assert_eq!(tt.probe(Board::START.passed()), None);
            tt.store(Board::START, entry);
            assert_eq!(tt.probe(Board::START), Some(entry));
        }
    }

    #[test]
    fn bounds_of_the_same_depth_that_meet_become_exact() {
        let tt = TranspositionTable::new(1).expect("1 MiB is available");
        let entry = |score, bound| Entry {
            score,
            bound,
            mv: Square::of_low_bits(0),
            depth: 9,
            selectivity: Selectivity::Exact,
        };
        for (score, bound, known) in [
            (4, Bound::Upper, Bound::Upper),
            (2, Bound::Lower, Bound::Lower),
            (2, Bound::Upper, Bound::Exact),
            (3, Bound::Lower, Bound::Lower),
            (SCORE_MAX as i16, Bound::Lower, Bound::Exact),
        ] {
            tt.store(Board::START, entry(score, bound));
            assert_eq!(tt.probe(Board::START), Some(entry(score, known)));
        }
        // An exact entry is not replaced by a bound that agrees with it.
        tt.store(Board::START, entry(2, Bound::Lower));
        let exact = entry(SCORE_MAX as i16, Bound::Exact);
        assert_eq!(tt.probe(Board::START), Some(exact));
    }
}
