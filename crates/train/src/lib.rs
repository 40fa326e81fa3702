//! Training of the Othello engine's evaluation: data, labels and fits.
//!
//! Games are played ([`selfplay`]) or read ([`wthor`]) and labelled with exact scores; pattern
//! tables ([`fit`]), network, offsets and multi-ProbCut constants ([`probcut`]) are fitted to them,
//! and [`evaluate`] measures the result. [`pipeline`] runs all steps. Workers on other machines can
//! play the games ([`by_workers`]) of a [`plan`].

pub mod by_workers;
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
