//! The playing engine for m,n,k-games: a proof where one is found, else alpha-beta.
//!
//! A move is chosen in three stages: a lookup of bundled proofs ([`crate::ProofLookup`]), a threat
//! search for a win or for a threat of the opponent, and alpha-beta with iterative deepening, late
//! move reductions and a shared transposition table (lazy SMP when there are several threads).

pub(crate) mod alpha_beta;
mod analysis;
mod candidates;
mod five;
mod gomoku;
mod multi_pv;
mod options;
mod strategy;
pub(crate) mod tt;

pub use options::{GridEngineOptions, SearchMode};
pub use strategy::GridEngine;
