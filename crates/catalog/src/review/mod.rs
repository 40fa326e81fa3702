//! A played game, looked at move by move.
//!
//! An [`PositionAnalysis`] is what a strategy says of one position, a [`Judgement`] what that makes of
//! a move. Whoever asks the strategy, the judgements are the same: a [`Reviewer`] walks a
//! whole game on its own; a server or a screen asks position by position.

mod analysis;
mod judgement;
mod reviewer;

pub use analysis::{PositionAnalysis, score_for_first};
pub use judgement::{Judgement, judgements, values};
pub use reviewer::{ReviewTime, Reviewer};
