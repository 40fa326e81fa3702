//! Making the weights: games, labels, fitting.

pub mod fit;
pub mod games;
pub mod pipeline;
pub mod probcut;
pub mod selfplay;
pub mod trial;
pub mod wthor;
