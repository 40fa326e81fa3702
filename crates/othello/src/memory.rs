//! Memory in large pages where the system has them: for the hash table and the evaluation.
//!
//! Both are read at random places; with small pages most of that time would be spent finding
//! out where the place is. Miri knows no such mapping and gets plain memory.
#![allow(unsafe_code)]

use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// The size of a large page, to which the memory is aligned.
const LARGE: usize = 2 << 20;

/// Zeroed memory of its own, given back when dropped.
pub(crate) struct HugePages {
    begin: NonNull<u8>,
    #[cfg(all(target_os = "linux", not(miri)))]
    mapped: (*mut libc::c_void, usize),
    #[cfg(any(not(target_os = "linux"), miri))]
    layout: Layout,
}

// SAFETY: the memory belongs to this value alone; what is shared of it is up to its user.
unsafe impl Send for HugePages {}
// SAFETY: as above.
unsafe impl Sync for HugePages {}

impl HugePages {
    /// `bytes` of zeroes, or `None` when they cannot be had.
    #[cfg(all(target_os = "linux", not(miri)))]
    pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
        let len = bytes.checked_add(LARGE)?;
        // SAFETY: a fresh anonymous mapping touches nothing that exists.
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
        let skip = base.align_offset(LARGE);
        // SAFETY: the mapping is one large page longer than needed, so the aligned part fits.
        // The advice must come before the first touch, and changes no contents.
        let begin = unsafe {
            let begin = base.cast::<u8>().add(skip);
            libc::madvise(begin.cast(), bytes, libc::MADV_HUGEPAGE);
            begin
        };
        Some(Self {
            begin: NonNull::new(begin)?,
            mapped: (base, len),
        })
    }

    /// `bytes` of zeroes, or `None` when they cannot be had.
    #[cfg(any(not(target_os = "linux"), miri))]
    pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), LARGE).ok()?;
        // SAFETY: the layout's size is not zero.
        let begin = unsafe { std::alloc::alloc_zeroed(layout) };
        Some(Self {
            begin: NonNull::new(begin)?,
            layout,
        })
    }

    /// The first byte.
    pub(crate) const fn begin(&self) -> NonNull<u8> {
        self.begin
    }
}

impl Drop for HugePages {
    fn drop(&mut self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        // SAFETY: the whole mapping, made in `zeroed`, which nobody uses any more.
        unsafe {
            libc::munmap(self.mapped.0, self.mapped.1);
        }
        #[cfg(any(not(target_os = "linux"), miri))]
        // SAFETY: allocated in `zeroed` with this layout.
        unsafe {
            std::alloc::dealloc(self.begin.as_ptr(), self.layout);
        }
    }
}

/// Values that never change, side by side in large pages.
pub(crate) struct HugeBox<T> {
    pages: HugePages,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Copy> HugeBox<T> {
    /// So many values, `usual` where `fill` leaves them so.
    pub(crate) fn new(len: usize, usual: T, fill: impl FnOnce(&mut [T])) -> Self {
        const { assert!(align_of::<T>() <= LARGE) };
        let layout = Layout::array::<T>(len).expect("no more values than memory has bytes");
        let pages = HugePages::zeroed(layout.size()).unwrap_or_else(|| handle_alloc_error(layout));
        let begin = pages.begin().cast::<T>();
        // SAFETY: so many values fit in the pages, which are aligned for them and nobody else's; all
        // are written before the slice is made.
        fill(unsafe {
            for at in 0..len {
                begin.add(at).write(usual);
            }
            std::slice::from_raw_parts_mut(begin.as_ptr(), len)
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
        // SAFETY: `new` made so many values, and nobody writes any more.
        unsafe { std::slice::from_raw_parts(self.pages.begin().cast().as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_large_pages_are_those_that_were_given() {
        let given = |at: usize| at.wrapping_mul(40_503) as i16;
        let large = HugeBox::new(70_000, -7, |values| {
            for (at, value) in values.iter_mut().enumerate().take(60_000) {
                *value = given(at);
            }
        });
        let expected = (0..70_000).map(|at| if at < 60_000 { given(at) } else { -7 });
        assert!(large.iter().copied().eq(expected));
        assert!(HugeBox::new(0, 0u64, |_| {}).is_empty());
    }
}
