//! Engine work: analyses, reviews, proofs, puzzles, and the thread pool that runs them.
//!
//! The jobs themselves are in `papan-analysis`, which workers use without this crate.

pub(crate) mod address_turns;
pub(crate) mod background;
pub(crate) mod engine_pool;
pub(crate) mod in_flight;
pub(crate) mod proofs;
pub(crate) mod remote;
pub(crate) mod reviews;
pub(crate) mod service;
pub(crate) mod traces;

pub(crate) use papan_analysis::{engine_cache, job, proof_job, stored, strategy_failure};
