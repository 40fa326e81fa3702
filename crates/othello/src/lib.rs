//! The Othello engine of papan.

mod board;
mod bucket;
mod crew;
mod endgame;
mod engine;
mod features;
mod flip;
mod last;
mod limits;
mod memory;
mod midgame;
mod mobility;
mod near;
mod ordering;
mod perft;
mod principal;
mod schedule;
mod selectivity;
mod square;
mod stability;
mod sync;
mod table;
#[cfg(test)]
mod testing;
pub mod train;
mod weights;
mod worker;

pub use board::{Board, square_name, square_of};
pub use engine::{Bound, Engine, EngineError, MoveReport, Options, Report};
pub use limits::Limits;
pub use perft::perft;
pub use weights::{Weights, WeightsError};
