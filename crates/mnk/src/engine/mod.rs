//! The engine for k in a row: a proof where there is one, else a alpha_beta.

mod alpha_beta;
mod analysis;
mod candidates;
mod multi_pv;
mod options;
mod strategy;
mod tt;

pub use options::{GridEngineOptions, SearchMode};
pub use strategy::GridEngine;
