//! A played game, looked at move by move.
//!
//! An [`Insight`] is what a strategy says of one position, a [`Judgement`] what that makes of
//! a move. Whoever asks the strategy, the judgements are the same: a [`Reviewer`] walks a
//! whole game on its own; a server or a screen asks position by position.

mod insight;
mod judgement;
mod reviewer;

pub use insight::{Insight, score_for_first};
pub use judgement::{Judgement, judgements, values};
pub use reviewer::{ReviewTime, Reviewer};
