//! Engine work: analyses, reviews, proofs, puzzles, and the thread pool that runs them.
//!
//! [`engine_cache`], [`engine_pool`], [`job`], [`proof_job`], [`stored`] and
//! [`strategy_failure`] know nothing of HTTP.

pub(crate) mod background;
pub(crate) mod engine_cache;
pub(crate) mod engine_pool;
pub(crate) mod in_flight;
pub(crate) mod job;
pub(crate) mod proof_job;
pub(crate) mod proofs;
pub(crate) mod puzzles;
pub(crate) mod remote;
pub(crate) mod reviews;
pub(crate) mod service;
pub(crate) mod stored;
pub(crate) mod strategy_failure;
pub(crate) mod strategy_policy;
