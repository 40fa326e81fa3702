//! Matches and tournaments that can be believed.

pub mod board;
pub mod elo;
pub mod entrant;
pub mod finished;
pub mod forfeit;
pub mod limits;
pub mod openings;
pub mod pentanomial;
pub mod process;
pub mod protocol;
pub mod ratings;
pub mod sprt;
pub mod tournament;
