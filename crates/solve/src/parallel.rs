//! Parallel iterators of rayon. Where there are no threads, in a page, the same calls run one after the
//! other, without the code of a thread pool.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use rayon::prelude::*;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use sequential::*;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod sequential {
    pub(crate) trait IntoParallelIterator: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    pub(crate) trait ParallelSlice<T> {
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }
    }

    pub(crate) trait ParallelIterator: Iterator + Sized {
        fn map_init<S, R>(
            self,
            init: impl FnOnce() -> S,
            mut map: impl FnMut(&mut S, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }
    }

    impl<I: Iterator> ParallelIterator for I {}
}
