//! k in a row on large boards: winning lines as state, threats, zones, and search.
//!
//! A board is its lines of k cells ([`Lines`]), a position how far each has come
//! ([`State`]). [`ThreatSearch`] finds wins by threats on boards of any size; [`DefenceSolver`]
//! decides small boards, and finds out that a defender holds. Both say why, in a form that
//! can be checked ([`WinProof`], [`DrawProof`]).
//!
//! ```
//! use std::sync::Arc;
//! use papan_rules::{Grid, Player, Wide};
//! use papan_mnk::{Lines, NodeBudget, State, ThreatSearch};
//!
//! let grid = Grid::<Wide>::new(&[6, 5], 4)?;
//! let mut state = State::new(Arc::new(Lines::new(&grid)));
//! let mut search = ThreatSearch::new(NodeBudget::INITIAL, Box::new(|| false));
//! assert!(search.win(&mut state, Player::First, 3).is_some());
//! # Ok::<(), papan_rules::GridError>(())
//! ```

mod canonical_key;
mod dfpn;
mod draw_proof;
mod engine;
mod lines;
mod move_ordering;
mod pairing;
mod proof_lookup;
mod relevance_zone;
mod state;
mod survivors;
mod threat_search;
mod vcf;
mod win_proof;

pub use dfpn::{DefenceSolver, DefenceValue, RootReplies};
pub use draw_proof::{DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
pub use engine::{GridEngine, GridEngineOptions, SearchMode};
pub use lines::{Cell, CellSet, Lines};
pub use move_ordering::score_cell;
pub use proof_lookup::{ProofLookup, ProvedValue};
pub use relevance_zone::covered_replies;
pub use state::State;
pub use survivors::{
    Refutation, StrategicMove, SurvivorSearch, VcfLimits, WinStrategy, line_symmetries,
};
pub use threat_search::{MAX_ORDER, NodeBudget, ThreatSearch};
pub use win_proof::{ReplyBranch, ReplyProofs, WinProof};
