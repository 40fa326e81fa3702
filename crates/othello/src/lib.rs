//! The Othello engine of papan.

mod board;
mod flip;
mod mobility;
mod perft;
mod square;

pub use board::{Board, square_name, square_of};
pub use perft::perft;
