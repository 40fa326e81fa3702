//! Matches and tournaments that can be believed.

pub mod elo;
pub mod pentanomial;
pub mod ratings;
pub mod sprt;
