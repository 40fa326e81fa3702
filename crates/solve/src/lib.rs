//! Exact answers.
//!
//! [`prove`] plays a strategy against every possible opponent and says whether it
//! can lose; a [`Certificate`] writes that down, and [`check`] verifies it with
//! code that shares nothing with the prover but the rules.

mod proof;
mod prove;
mod watch;

pub use proof::{Fault, Proof, ProveError, Verdict};
pub use prove::{Factory, prove};
pub use watch::{Pace, Watch};
