//! Large pages: zeroed memory backed by transparent huge pages, as in Stockfish's `memory.h`.
//!
//! Large tables are read at random addresses. With 4 KiB pages most of that time is spent in TLB
//! misses; 2 MiB pages avoid them. Linux gives huge pages to an aligned mapping after
//! `madvise(MADV_HUGEPAGE)`; other systems and Miri get ordinary memory.
#![allow(unsafe_code)]

#[cfg(any(not(target_os = "linux"), miri))]
use std::alloc::Layout;
use std::ptr::NonNull;

/// WebAssembly has no pages to speak of, and its memory is scarce.
const HUGE_PAGE_SIZE: usize = if cfg!(target_family = "wasm") {
    4 << 10
} else {
    2 << 20
};

/// An owned allocation of zeroed memory.
pub struct HugePages {
    start: NonNull<u8>,
    #[cfg(all(target_os = "linux", not(miri)))]
    mapping: Mapping,
    #[cfg(any(not(target_os = "linux"), miri))]
    layout: Layout,
}

/// The whole mapping, of which the aligned part is used.
#[cfg(all(target_os = "linux", not(miri)))]
struct Mapping {
    base: *mut libc::c_void,
    len: usize,
}

// SAFETY: the memory is owned by this value; access to its contents is up to the user.
unsafe impl Send for HugePages {}
// SAFETY: as above.
unsafe impl Sync for HugePages {}

impl HugePages {
    /// Alignment of the memory: the size of a huge page.
    pub const ALIGNMENT: usize = HUGE_PAGE_SIZE;

    /// Allocates `bytes` of zeroed memory. Returns `None` when there is not enough.
    #[cfg(all(target_os = "linux", not(miri)))]
    #[must_use]
    pub fn zeroed(bytes: usize) -> Option<Self> {
        let len = bytes.checked_add(HUGE_PAGE_SIZE)?;
        // SAFETY: a fresh anonymous mapping does not affect existing memory.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return None;
        }
        let skip = base.align_offset(HUGE_PAGE_SIZE);
        // SAFETY: the mapping is one huge page longer than needed, so the aligned part fits. The
        // advice must come before the first access, and does not change contents.
        let start = unsafe {
            let start = base.cast::<u8>().add(skip);
            libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE);
            start
        };
        Some(Self {
            start: NonNull::new(start)?,
            mapping: Mapping { base, len },
        })
    }

    /// Allocates `bytes` of zeroed memory. Returns `None` when there is not enough.
    #[cfg(any(not(target_os = "linux"), miri))]
    #[must_use]
    pub fn zeroed(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), HUGE_PAGE_SIZE).ok()?;
        // SAFETY: the layout's size is not zero.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        Some(Self {
            start: NonNull::new(start)?,
            layout,
        })
    }

    /// Returns the address of the first byte.
    #[must_use]
    #[inline]
    pub const fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for HugePages {
    fn drop(&mut self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        // SAFETY: `zeroed` made this mapping, and no reference into it outlives `self`.
        unsafe {
            libc::munmap(self.mapping.base, self.mapping.len);
        }
        #[cfg(any(not(target_os = "linux"), miri))]
        // SAFETY: allocated in `zeroed` with this layout.
        unsafe {
            std::alloc::dealloc(self.start.as_ptr(), self.layout);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_is_zeroed_aligned_and_writable() {
        let len = 3_000_000;
        let pages = HugePages::zeroed(len).unwrap();
        assert_eq!(pages.start().align_offset(HugePages::ALIGNMENT), 0);
        // SAFETY: the allocation has `len` bytes, all of them initialised, and one owner.
        let bytes = unsafe { std::slice::from_raw_parts_mut(pages.start().as_ptr(), len) };
        assert!(bytes.iter().all(|byte| *byte == 0));
        bytes.fill(7);
        assert_eq!(
            bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>(),
            7 * len
        );
    }

    #[test]
    fn memory_beyond_the_address_space_is_refused() {
        assert!(HugePages::zeroed(usize::MAX - 4096).is_none());
    }
}
