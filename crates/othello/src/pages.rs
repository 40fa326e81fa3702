//! Zeroed memory for the hash table, in large pages where the system has them.
//!
//! A probe goes to a random place; with small pages most of its time would be spent finding
//! out where that place is. Miri knows no such mapping and gets plain memory.
#![allow(unsafe_code)]

use std::ptr::NonNull;

/// The size of a large page, to which the memory is aligned.
const LARGE: usize = 2 << 20;

/// Zeroed memory of its own, given back when dropped.
pub(crate) struct Pages {
    begin: NonNull<u8>,
    #[cfg(all(target_os = "linux", not(miri)))]
    mapped: (*mut libc::c_void, usize),
    #[cfg(any(not(target_os = "linux"), miri))]
    layout: std::alloc::Layout,
}

// SAFETY: the memory belongs to this value alone; what is shared of it is up to its user.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
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
        let layout = std::alloc::Layout::from_size_align(bytes.max(1), LARGE).ok()?;
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

impl Drop for Pages {
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
