//! Review of a played game, move by move.
//!
//! A [`PositionAnalysis`] is a strategy's analysis of one position, a [`Judgement`] the resulting
//! judgement of a move. A [`Reviewer`] analyses a whole game; a server or a screen analyses
//! position by position ([`ReviewQuestion`]) and gets the same judgements.

mod analysis;
mod finisher;
mod grade;
mod judgement;
mod reviewer;

pub use analysis::{PositionAnalysis, score_for_first};
pub use finisher::{Finisher, ReviewQuestion};
pub use grade::{Grade, accuracy};
pub use judgement::{Judgement, judgements, values};
pub use reviewer::{ReviewTime, Reviewer};
