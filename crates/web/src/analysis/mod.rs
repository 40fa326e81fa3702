//! Engine work: analyses, reviews, proofs, puzzles, and the thread pool that runs them.

pub(crate) mod background;
pub(crate) mod engine_cache;
pub(crate) mod engine_pool;
pub(crate) mod job;
pub(crate) mod proofs;
pub(crate) mod puzzles;
pub(crate) mod remote;
pub(crate) mod service;
pub(crate) mod stored;
pub(crate) mod strategy_failure;
