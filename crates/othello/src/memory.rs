//! Large pages: zeroed memory backed by transparent huge pages, as in Stockfish's `memory.h`.
//!
//! The transposition table and the evaluation are read at random addresses. With 4 KiB pages most
//! of that time is spent in TLB misses; 2 MiB pages avoid them. Linux gives huge pages to an
//! aligned mapping after `madvise(MADV_HUGEPAGE)`; other systems and Miri get ordinary memory.
#![allow(unsafe_code)]

use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// Size of a huge page, and alignment of the memory. WebAssembly has no pages to speak of, and its
/// memory is scarce.
const HUGE_PAGE_SIZE: usize = if cfg!(target_family = "wasm") {
    4 << 10
} else {
    2 << 20
};

/// An owned allocation of zeroed memory.
pub(crate) struct HugePages {
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
    /// Allocates `bytes` of zeroed memory. Returns `None` when there is not enough.
    #[cfg(all(target_os = "linux", not(miri)))]
    pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
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
    pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), HUGE_PAGE_SIZE).ok()?;
        // SAFETY: the layout's size is not zero.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        Some(Self {
            start: NonNull::new(start)?,
            layout,
        })
    }

    /// Returns the address of the first byte.
    pub(crate) const fn start(&self) -> NonNull<u8> {
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

/// An immutable slice in huge pages.
pub(crate) struct HugeBox<T> {
    pages: HugePages,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Copy> HugeBox<T> {
    /// Creates a slice of `len` values. Every value is `initial` unless `fill` changes it.
    pub(crate) fn new(len: usize, initial: T, fill: impl FnOnce(&mut [T])) -> Self {
        const { assert!(align_of::<T>() <= HUGE_PAGE_SIZE) };
        let layout = Layout::array::<T>(len).expect("the slice fits the address space");
        let pages = HugePages::zeroed(layout.size()).unwrap_or_else(|| handle_alloc_error(layout));
        let start = pages.start().cast::<T>();
        // SAFETY: `len` values fit in the pages, which are aligned for them and not shared; all are
        // written before the slice is made.
        fill(unsafe {
            for at in 0..len {
                start.add(at).write(initial);
            }
            std::slice::from_raw_parts_mut(start.as_ptr(), len)
        });
        Self {
            pages,
            len,
            values: PhantomData,
        }
    }
}

impl<T> Deref for HugeBox<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `new` initialised `len` values, and nothing writes after that.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast().as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_box_holds_the_values_written_and_the_initial_value_elsewhere() {
        let value_at = |at: usize| at.wrapping_mul(40_503) as i16;
        let values = HugeBox::new(70_000, -7, |values| {
            for (at, value) in values.iter_mut().enumerate().take(60_000) {
                *value = value_at(at);
            }
        });
        let expected = (0..70_000).map(|at| if at < 60_000 { value_at(at) } else { -7 });
        assert!(values.iter().copied().eq(expected));
        assert!(HugeBox::new(0, 0u64, |_| {}).is_empty());
    }
}
