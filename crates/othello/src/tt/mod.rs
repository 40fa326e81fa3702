//! The hash table, shared by all threads and bounded in size.
#![allow(unsafe_code)]

pub(crate) mod cluster;
pub(crate) mod sync;

use crate::board::Board;
use crate::memory::HugePages;
use crate::tt::cluster::{Age, Bucket, Entry, LIVES};
use std::sync::atomic::{AtomicU32, Ordering};

/// The buckets, and which search is writing.
pub(crate) struct Table {
    pages: HugePages,
    /// A power of two.
    len: usize,
    /// How often everything was forgotten since the memory was last zeroed.
    life: u32,
    searches: AtomicU32,
}

impl Table {
    /// A table of at most `mib` mebibytes: the largest power of two that fits, at least 1 MiB.
    /// `None` when the memory cannot be had.
    pub(crate) fn new(mib: usize) -> Option<Self> {
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        let len = 1usize << (bytes / size_of::<Bucket>()).ilog2();
        // A zeroed bucket is an empty one: no position is without discs.
        let pages = HugePages::zeroed(len * size_of::<Bucket>())?;
        Some(Self {
            pages,
            len,
            life: 0,
            searches: AtomicU32::new(0),
        })
    }

    #[inline(always)]
    fn bucket(&self, board: Board) -> &Bucket {
        let index = hash(board) as usize & (self.len - 1);
        // SAFETY: the index is below `len`; that many buckets fit in the pages, which are aligned
        // for them and zeroed, a valid state of their atomics.
        unsafe { self.pages.begin().cast::<Bucket>().add(index).as_ref() }
    }

    /// Asks the processor to have the bucket ready.
    #[inline(always)]
    pub(crate) fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch never faults, and the address is inside the table.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(board)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// What is known of the position.
    #[inline(always)]
    pub(crate) fn probe(&self, board: Board) -> Option<Entry> {
        self.bucket(board).probe(board, self.life)
    }

    /// Remembers a result.
    #[inline(always)]
    pub(crate) fn store(&self, board: Board, entry: Entry) {
        let age = Age {
            life: self.life,
            search: self.searches.load(Ordering::Relaxed),
        };
        self.bucket(board).store(board, entry, age);
    }

    /// Marks everything stored so far as old, the first to be replaced.
    pub(crate) fn new_search(&self) {
        self.searches.fetch_xor(1, Ordering::Relaxed);
    }

    /// Forgets everything. Only when the lives have run out, `threads` of them write zeroes.
    pub(crate) fn clear(&mut self, threads: usize) {
        self.searches.store(0, Ordering::Relaxed);
        self.life = (self.life + 1) % LIVES;
        if self.life > 0 {
            return;
        }
        let bytes = self.len * size_of::<Bucket>();
        // SAFETY: the allocation has this size, `&mut self` keeps others away, and all zeroes is
        // the empty state.
        let all = unsafe { std::slice::from_raw_parts_mut(self.pages.begin().as_ptr(), bytes) };
        std::thread::scope(|scope| {
            let mut parts = all.chunks_mut(bytes.div_ceil(threads.max(1)));
            let own = parts.next();
            for part in parts {
                scope.spawn(|| part.fill(0));
            }
            own.into_iter().for_each(|part| part.fill(0));
        });
    }
}

/// Multiplying the two halves into each other mixes every disc into the low bits.
#[inline(always)]
pub(crate) fn hash(board: Board) -> u64 {
    let a = board.me() ^ 0x9e37_79b9_7f4a_7c15;
    let b = board.opp().rotate_left(29) ^ 0xd1b5_4a32_d192_ed03;
    let product = u128::from(a) * u128::from(b);
    let folded = product as u64 ^ (product >> 64) as u64;
    folded ^ folded >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::square::Square;
    use crate::eval::score::SCORE_MAX;
    use crate::tt::cluster::Bound;

    #[test]
    fn what_is_stored_is_found_until_it_is_cleared() {
        let mut table = Table::new(1).expect("1 MiB can be had");
        let entry = Entry {
            score: -SCORE_MAX as i16,
            bound: Bound::Upper,
            mv: Square::of_low_bits(63),
            depth: 60,
            selectivity: 2,
        };
        assert_eq!(table.probe(Board::START), None);
        table.store(Board::START, entry);
        assert_eq!(table.probe(Board::START), Some(entry));
        assert_eq!(table.probe(Board::START.passed()), None);
        for _ in 0..2 * LIVES {
            table.clear(2);
            assert_eq!(table.probe(Board::START), None);
            assert_eq!(table.probe(Board::START.passed()), None);
            table.store(Board::START, entry);
            assert_eq!(table.probe(Board::START), Some(entry));
        }
    }

    #[test]
    fn bounds_of_the_same_depth_that_meet_are_the_score() {
        let table = Table::new(1).expect("1 MiB can be had");
        let entry = |score, bound| Entry {
            score,
            bound,
            mv: Square::of_low_bits(0),
            depth: 9,
            selectivity: 2,
        };
        for (score, bound, known) in [
            (4, Bound::Upper, Bound::Upper),
            (2, Bound::Lower, Bound::Lower),
            (2, Bound::Upper, Bound::Exact),
            (3, Bound::Lower, Bound::Lower),
            (SCORE_MAX as i16, Bound::Lower, Bound::Exact),
        ] {
            table.store(Board::START, entry(score, bound));
            assert_eq!(table.probe(Board::START), Some(entry(score, known)));
        }
        // What is known exactly is not given up for a bound that agrees.
        table.store(Board::START, entry(2, Bound::Lower));
        let exactly = entry(SCORE_MAX as i16, Bound::Exact);
        assert_eq!(table.probe(Board::START), Some(exactly));
    }
}
