//! The engine for k in a row: a proof where there is one, else a search.

mod comparison;
mod search;
mod strategy;
mod table;

pub use strategy::{GridEngine, GridEngineOptions, Sight};
