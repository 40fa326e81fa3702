//! Data, labels and fits for the weights of papan's Othello engine.
//!
//! Games are played ([`selfplay`]) or read ([`wthor`]), labelled with exact scores, and the
//! evaluation is fitted to them ([`fit`]); multi-ProbCut's constants are fitted to its searches
//! ([`probcut`]), and [`evaluate`] tells whether it was worth it. [`pipeline`] does all of it.
//! Workers on other machines play games too ([`distributed`]), by a [`plan`] that travels.

pub mod distributed;
pub mod evaluate;
pub mod fit;
pub mod game_file;
pub mod games;
pub mod network;
pub mod offsets;
pub mod parallel;
pub mod pipeline;
pub mod plan;
pub mod probcut;
pub mod selfplay;
pub mod wthor;
