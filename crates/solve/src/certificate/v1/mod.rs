//! Certificates, version 1: the moves of a strategy that never loses, for every reachable position.
//!
//! ```text
//! papan certificate 1
//! game tictactoe
//! strategy perfect
//! as second
//! symmetries 0
//! positions 295
//! X-------- 5
//! …
//! checksum 0123456789abcdef
//! ```
//!
//! An entry consists of the cells of a position with the strategy to move and the moves it may play
//! there. Positions are listed up to the symmetries that the strategy respects; the header names
//! those by their numbers. Dead positions, in which no player can win any more, are left out.

mod check;
mod write;

pub use check::{StrategyClaim, check, check_watched, read_claim, replay};
pub use write::{Certificate, CertificateError, MAX_POSITIONS};
