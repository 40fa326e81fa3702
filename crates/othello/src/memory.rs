//! Immutable slices in [large pages](HugePages).
#![allow(unsafe_code)]

use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::Deref;

use papan_os::HugePages;

/// An immutable slice in huge pages.
pub(crate) struct HugeBox<T> {
    pages: HugePages,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Copy> HugeBox<T> {
    /// Creates a slice of `len` values. Every value is `initial` unless `fill` changes it.
    pub(crate) fn new(len: usize, initial: T, fill: impl FnOnce(&mut [T])) -> Self {
        const { assert!(align_of::<T>() <= HugePages::ALIGNMENT) };
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
