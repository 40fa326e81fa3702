//! The hash table, shared by all threads and bounded in size.
#![allow(unsafe_code)]

use crate::board::Board;
use crate::bucket::{Bucket, Entry};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// The buckets, and which search is writing.
pub(crate) struct Table {
    buckets: NonNull<Bucket>,
    /// A power of two.
    len: usize,
    generation: AtomicU32,
}

// SAFETY: a bucket consists of atomics only and may be shared; the table owns its allocation.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

/// Large pages keep the random probes from missing the translation cache; they need this.
const ALIGNMENT: usize = 2 << 20;

impl Table {
    /// A table of at most `mib` mebibytes: the largest power of two that fits, at least 1 MiB.
    /// `None` when the memory cannot be had.
    pub(crate) fn new(mib: usize) -> Option<Self> {
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        let len = 1usize << (bytes / size_of::<Bucket>()).ilog2();
        // SAFETY: the layout has a size of at least 1 MiB.
        let buckets = unsafe { alloc_zeroed(Self::layout(len)) };
        let buckets: NonNull<Bucket> = NonNull::new(buckets.cast())?;
        #[cfg(target_os = "linux")]
        // SAFETY: the range is the allocation just made; the advice changes no contents.
        unsafe {
            libc::madvise(buckets.as_ptr().cast(), len * size_of::<Bucket>(), libc::MADV_HUGEPAGE);
        }
        // A zeroed bucket is an empty one: no position is without discs.
        Some(Self { buckets, len, generation: AtomicU32::new(0) })
    }

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len * size_of::<Bucket>(), ALIGNMENT)
            .expect("the size was checked when the table was made")
    }

    #[inline(always)]
    fn bucket(&self, board: Board) -> &Bucket {
        let index = hash(board) as usize & (self.len - 1);
        // SAFETY: the index is below `len`, and that many buckets were allocated and zeroed,
        // which is a valid state of their atomics.
        unsafe { self.buckets.add(index).as_ref() }
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
        self.bucket(board).probe(board)
    }

    /// Remembers a result.
    #[inline(always)]
    pub(crate) fn store(&self, board: Board, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.bucket(board).store(board, entry, generation);
    }

    /// Marks everything stored so far as old, the first to be replaced.
    pub(crate) fn new_search(&self) {
        self.generation.fetch_xor(1, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let bytes = self.len * size_of::<Bucket>();
        // SAFETY: the allocation has this size, `&mut self` keeps other threads away, and all
        // zeroes is the empty state.
        unsafe { std::ptr::write_bytes(self.buckets.as_ptr().cast::<u8>(), 0, bytes) };
        self.generation.store(0, Ordering::Relaxed);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.buckets.as_ptr().cast(), Self::layout(self.len)) };
    }
}

/// Multiplying the two halves into each other mixes every disc into the low bits.
#[inline(always)]
pub(crate) fn hash(board: Board) -> u64 {
    let a = board.me ^ 0x9e37_79b9_7f4a_7c15;
    let b = board.opp.rotate_left(29) ^ 0xd1b5_4a32_d192_ed03;
    let product = u128::from(a) * u128::from(b);
    let folded = product as u64 ^ (product >> 64) as u64;
    folded ^ folded >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_until_it_is_cleared() {
        let mut table = Table::new(1).expect("1 MiB can be had");
        let entry = Entry {
            lower: -64,
            upper: 64,
            mv: 63,
            depth: 60,
            selectivity: 5,
        };
        assert_eq!(table.probe(Board::START), None);
        table.store(Board::START, entry);
        assert_eq!(table.probe(Board::START), Some(entry));
        assert_eq!(table.probe(Board::START.passed()), None);
        table.clear();
        assert_eq!(table.probe(Board::START), None);
    }

    #[test]
    fn bounds_of_the_same_depth_are_joined() {
        let table = Table::new(1).expect("1 MiB can be had");
        let entry = |lower, upper| Entry {
            lower,
            upper,
            mv: 0,
            depth: 9,
            selectivity: 5,
        };
        table.store(Board::START, entry(-64, 4));
        table.store(Board::START, entry(2, 64));
        assert_eq!(table.probe(Board::START), Some(entry(2, 4)));
    }
}
