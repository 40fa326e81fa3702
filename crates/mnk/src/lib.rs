//! k in a row on large boards: winning lines as state, threats, zones, and search.
//!
//! A board is its windows of k cells ([`Windows`]), a position how far each has come
//! ([`State`]). [`Attack`] finds wins by threats on boards of any size; [`Duel`] decides
//! small boards, and finds out that a defender holds. Both say why, in a form that
//! somebody else can check ([`Proof`], [`Hold`]).
//!
//! ```
//! use std::sync::Arc;
//! use papan_rules::{Grid, Player, Wide};
//! use papan_mnk::{Attack, Effort, State, Windows};
//!
//! let grid = Grid::<Wide>::new(&[6, 5], 4)?;
//! let mut state = State::new(Arc::new(Windows::new(&grid)));
//! let mut attack = Attack::new(Effort::FIRST, Box::new(|| false));
//! assert!(attack.win(&mut state, Player::First, 3).is_some());
//! # Ok::<(), papan_rules::GridError>(())
//! ```

mod attack;
mod deepening;
mod duel;
mod engine;
mod fours;
mod hold;
mod knowledge;
mod live;
mod loss;
mod order;
mod pairing;
mod proof;
mod state;
mod windows;
mod zone;

pub use attack::{Attack, EVERYTHING, Effort};
pub use duel::{Defence, Duel, Replies};
pub use engine::{GridEngine, GridEngineOptions, Sight};
pub use hold::{Hold, HoldKind, HoldLink, HoldNode, HoldReply};
pub use knowledge::{Knowledge, Known};
pub use order::worth;
pub use proof::{Answers, Branch, Proof};
pub use state::State;
pub use windows::{Cell, CellSet, Windows};
pub use zone::answered;
