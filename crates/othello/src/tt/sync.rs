//! The atomics of the hash table, named here so that the model of it can take loom's instead.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
