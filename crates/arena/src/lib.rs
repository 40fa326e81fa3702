//! Matches and tournaments that can be believed.

pub mod board;
pub mod elo;
pub mod forfeit;
pub mod pentanomial;
pub mod process;
pub mod protocol;
pub mod ratings;
pub mod sprt;
