//! Exact answers.
//!
//! [`prove`] plays a strategy against every possible opponent and says whether it
//! can lose; a [`Certificate`] writes that down, and [`check`] verifies it with
//! code that shares nothing with the prover but the rules.

pub mod automaton;
mod certificate;
mod checkpoint;
mod count;
mod grid_value;
mod job_level_pns;
mod missed_wins;
mod proof;
mod prove;
mod reachable;
mod scored_tree;
mod search_tree;
mod tree_node;

pub use certificate::{
    Certificate, CertificateError, CheckError, ClaimFile, ClaimKind, ClaimProof, MAX_POSITIONS,
    PositionClaim, ProofBook, ProofFault, StrategyClaim, check, check_claims, read_claim,
    read_claims, replay, write_claims,
};
pub use checkpoint::{CheckpointError, SearchCheckpoint};
pub use count::{CountError, GameCounts, ResultCounts, count};
pub use grid_value::{GridValue, ValueLimits, grid_value};
pub use job_level_pns::{
    JobLevelSearch, JobLevelTree, LeafError, TreeSize, check_leaf, solve_leaf,
};
pub use missed_wins::{MissedWins, missed_wins};
pub use proof::{Proof, ProveError, StrategyError, Verdict};
pub use prove::{StrategyFactory, prove};
pub use scored_tree::ScoredTree;
pub use search_tree::{SearchKind, TreeOptions, search_tree};
pub use tree_node::{Label, TreeNode};
