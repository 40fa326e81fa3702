//! Statistics: Elo, ratings, pentanomial intervals, SPRT.

mod elo;
mod pentanomial;
mod ratings;
mod sprt;

pub use elo::expected_score;
pub use pentanomial::{Estimate, Pentanomial};
pub use ratings::{Encounter, Ratings};
pub use sprt::{Acceptance, Model, Sprt, SprtError};
