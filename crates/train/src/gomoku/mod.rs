//! Training of the weights for five in a row: self-play, and a fit of the evaluation and of move
//! ordering.

pub mod fit;
pub mod games;
pub mod selfplay;
