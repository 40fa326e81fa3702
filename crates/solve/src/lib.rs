//! Exact answers.
//!
//! [`prove`] plays a strategy against every possible opponent and says whether it
//! can lose; a [`Certificate`] writes that down, and [`check`] verifies it with
//! code that shares nothing with the prover but the rules.

pub mod automaton;
mod certificate;
mod check;
mod claims;
mod count;
mod grid_value;
mod missed_wins;
mod proof;
mod prove;
mod reach;
mod sealed;
mod search_memory;
mod search_tree;
mod tree_node;
mod upper;
mod weighed_tree;

pub use certificate::{Certificate, CertificateError, MOST_POSITIONS};
pub use check::{CheckError, Claim, check, claim, replay};
pub use claims::{
    Because, ClaimError, ClaimFault, ClaimFile, ClaimLine, ProofBook, Reason, check_claims, claims,
    write_claims,
};
pub use count::{ByResult, Census, CountError, count};
pub use grid_value::{GridValue, ValueLimits, grid_value};
pub use missed_wins::{MissedWins, missed_wins};
pub use proof::{BadAnswer, Proof, ProveError, Verdict};
pub use prove::{Factory, prove};
pub use search_memory::{MemoryError, SearchMemory};
pub use search_tree::{Searcher, TreeOptions, search_tree};
pub use tree_node::{Label, TreeNode};
pub use upper::{LeafError, UpperSearch, UpperTree, solve_leaf};
pub use weighed_tree::WeighedTree;
