//! How to choose a move.

mod context;
mod decision;
mod strategy;

pub use context::{Context, Limits, Listener, Pace, Progress, StopToken};
pub use decision::{Candidate, Decision, Score, Term, Value};
pub use strategy::{NoMove, Strategy, choose};
