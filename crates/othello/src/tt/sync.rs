//! Atomics of the transposition table, named here so that the loom model can replace them.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
