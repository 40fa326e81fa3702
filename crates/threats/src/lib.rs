//! k in a row on large boards: winning lines as state, threats, zones, and search.
mod attack;
mod duel;
mod fours;
mod live;
mod order;
mod pairing;
mod proof;
mod state;
mod windows;
mod zone;
pub use attack::{Attack, EVERYTHING, Effort};
pub use duel::{Duel, Verdict};
pub use proof::{Answers, Branch, Proof};
pub use state::State;
pub use windows::{Cell, CellSet, Windows};
