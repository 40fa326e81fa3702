//! A played game, looked at move by move.
//!
//! An [`Insight`] is what a strategy says of one position, a [`Verdict`] what that makes of
//! a move. Whoever asks the strategy, the verdicts are the same: a [`Reviewer`] walks a
//! whole game on its own; a server or a screen asks position by position.

mod insight;
mod reviewer;
mod verdict;

pub use insight::{Insight, score_for_first};
pub use reviewer::{ReviewTime, Reviewer};
pub use verdict::{Verdict, values, verdicts};
