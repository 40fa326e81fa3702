//! Solving and proving: strategies, positions and whole games.
//!
//! | to | use |
//! |---|---|
//! | play a strategy against every possible opponent | [`prove`] |
//! | certify that a strategy never loses, and check that | [`Certificate`], [`check`] |
//! | find the value of a k-in-a-row position, with a proof | [`grid_value`] |
//! | certify that value, and check it | [`write_claims`], [`check_claims`] |
//! | spread a large proof over many machines | [`JobLevelTree`], [`solve_leaf`] |
//! | count positions and games | [`count`] |
//! | record search trees for display | [`search_tree`], [`ScoredTree`] |
//! | compile, inspect and minimise strategy tables | [`automaton`] |
//!
//! The checkers share nothing with the provers but the rules.
//!
//! ```
//! use papan_rules::{Player, tictactoe};
//! use papan_solve::{Verdict, prove};
//! use papan_strategies::{Perfect, Watch};
//!
//! let game = tictactoe();
//! let proof = prove(
//!     &game,
//!     &|| Box::new(Perfect::default()),
//!     Player::First,
//!     &Watch::default(),
//! )?;
//! assert_eq!(proof.verdict(), Verdict::NeverLoses);
//! # Ok::<(), papan_solve::ProveError>(())
//! ```

pub mod automaton;
mod certificate;
mod checkpoint;
mod count;
mod grid_value;
mod interview;
mod job_level_pns;
mod missed_wins;
mod parallel;
mod proof;
mod prove;
mod reachable;
mod scored_tree;
mod search_tree;
mod symmetry_group;
mod trace;
mod tree_node;

pub use certificate::{
    Certificate, CertificateError, CheckError, CheckProgress, ClaimFile, ClaimKind, ClaimProof,
    MAX_POSITIONS, PositionClaim, ProofBook, ProofFault, StrategyClaim, check, check_claims,
    check_claims_with_progress, check_watched, read_claim, read_claims, replay, write_claims,
};
pub use checkpoint::{CheckpointError, SearchCheckpoint};
pub use count::{CountError, GameCounts, ResultCounts, count};
pub use grid_value::{GridValue, ValueLimits, grid_value};
pub use interview::{AnswerTable, InterviewJournal, JournalError, MAX_INTERVIEW, interview};
pub use job_level_pns::{
    JobLevelSearch, JobLevelTree, LeafError, LeafQuery, TreeSize, check_leaf, solve_leaf,
};
pub use missed_wins::{MissedWins, missed_wins};
pub use proof::{Proof, ProveError, StrategyError, Verdict};
pub use prove::{StrategyFactory, prove};
pub use scored_tree::ScoredTree;
pub use search_tree::{SearchKind, TreeOptions, search_tree, search_tree_until};
pub use symmetry_group::distinct_moves;
pub use trace::{
    Algorithm, Listing, SHORTEST_WIN, Trace, TraceEvent, TraceOptions, TraceStep, exceeds,
    trace_answer, trace_as_printed, trace_playouts, trace_scores, trace_search, trace_table,
};
pub use tree_node::{Label, TreeNode, Window};
