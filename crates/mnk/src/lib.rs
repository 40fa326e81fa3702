//! Search and proofs for m,n,k-games: k in a row on a grid of any size and dimension.
//!
//! | concept | module | source |
//! |---|---|---|
//! | VCF, victory by continuous fours | `vcf` | Allis, van den Herik and Huntjens, *Go-Moku and Threat-Space Search* (1993) |
//! | lambda search over threats | `threat_search` | Thomsen, *Lambda-Search in Game Trees* (2000) |
//! | df-pn over all moves | `dfpn` | Nagai, *Df-pn Algorithm for Searching AND/OR Trees* (2002) |
//! | proof numbers | `proof_numbers` | Allis, *Searching for Solutions in Games and Artificial Intelligence* (1994) |
//! | relevance zones | `relevance_zone` | Wu and Lin, *Relevance-Zone-Oriented Proof Search for Connect6* (2010) |
//! | proof-tree simulation | `proof_simulation` | Kawano, *Using Similar Positions to Search Game Trees* (1996) |
//! | pairing strategies and potentials | `pairing` | Hales and Jewett (1963), Erdős and Selfridge (1973), Beck, *Combinatorial Games* (2008) |
//! | df-pn over surviving replies | `survivors` | Patashnik, *Qubic: 4x4x4 Tic-Tac-Toe* (1980) |
//! | alpha-beta engine | `engine` | |
//!
//! [`Lines`] are the winning lines of a board and [`State`] is a position as incremental line
//! counts. [`ThreatSearch`] finds wins by threats on boards of any size; [`DefenceSolver`] decides
//! small boards and proves draws. Both return proof trees ([`WinProof`], [`DrawProof`]) that
//! `papan-solve` writes as certificates and checks independently.
//!
//! Two words are used throughout: the *attacker* is the player whose win is in question, the
//! *defender* is the other one. A line is *live* for a player while the opponent has no stone on
//! it, and a *four* is a move that leaves a live line one cell short, whatever k is.
//!
//! ```
//! use std::sync::Arc;
//! use papan_rules::{Grid, Player, Wide};
//! use papan_mnk::{Lines, NodeBudget, State, ThreatSearch};
//!
//! // Four in a row on 6x5 is a win for the first player.
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
mod five;
mod lines;
mod move_ordering;
mod pairing;
mod proof_lookup;
mod proof_numbers;
mod proof_simulation;
mod relevance_zone;
mod state;
mod survivors;
mod threat_search;
mod vcf;
mod vcf_decision;
mod win_proof;

pub use dfpn::{DefenceSolver, DefenceValue, RootReplies, TableEntry};
pub use draw_proof::{DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
pub use engine::{GridEngine, GridEngineOptions, SearchMode};
pub use five::{GomokuTable, GomokuWeights, GomokuWeightsError, TrainingBoard};
pub use lines::{Cell, CellSet, Lines};
pub use move_ordering::score_cell;
pub use proof_lookup::{ProofLookup, ProvedValue};
pub use proof_simulation::ProofSimulation;
pub use relevance_zone::covered_replies;
pub use state::State;
pub use survivors::{
    SequenceLink, SequenceNode, SequenceProof, SequenceReplies, SequenceRoot, SurvivorSearch,
    VcfLimits, line_symmetries,
};
pub use threat_search::{MAX_ORDER, NodeBudget, ThreatSearch};
pub use win_proof::{ProofMapper, ReplyBranch, ReplyProofs, WinProof};
