//! Analyses for servers, pages, and workers on other machines.
//!
//! - `job`: one position of a review, or a proof about a strategy, asked for in a browser
//! - `leaf`: leaves of job-level proof-number search
//! - `leaf_journal`: format of the file with which such a search continues
//! - [`engine_cache`]: engines that keep their hash tables between requests
//!
//! Results are verified before they are used: moves by the rules, leaves by the certificate
//! checker.

pub mod engine_cache;
#[cfg(feature = "jobs")]
pub mod job;
#[cfg(feature = "jobs")]
pub mod leaf;
#[cfg(feature = "jobs")]
pub mod leaf_journal;
pub mod proof_job;
pub mod side;
#[cfg(feature = "jobs")]
mod spot_check;
pub mod stored;
pub mod strategy_failure;
#[cfg(feature = "jobs")]
mod verify;

/// The code and the weights that results depend on.
#[cfg(feature = "jobs")]
fn version() -> Vec<String> {
    let weights = papan_jobs::Digest::of(papan_othello::eval::weights::shipped_file());
    vec![
        format!("papan {}", papan_jobs::code_version()),
        format!("weights {}", weights.short()),
    ]
}
