//! The engine for k in a row: a proof where there is one, else a search.

mod comparison;
mod options;
mod reasons;
mod search;
mod strategy;
mod table;
mod thought;

pub use options::{GridEngineOptions, Sight};
pub use strategy::GridEngine;
