//! Training of the engines' weights: Othello's, and for gomoku those of [`gomoku`].
//!
//! Games come from [`selfplay`] or from tournament databases ([`wthor`]) and are labelled with
//! exact scores. The pattern weights are fitted by ridge regression ([`regression`]), a small
//! neural network is trained on the residuals with Adam ([`network`]), and the multi-ProbCut
//! parameters are fitted to pairs of searches ([`probcut`]). [`evaluate`] measures the result, and
//! [`pipeline`] runs all steps. Workers on other machines can play the games of a [`plan`]
//! ([`distributed`]).

pub mod distributed;
pub mod evaluate;
pub mod game_file;
pub mod games;
pub mod gomoku;
pub mod network;
pub mod offsets;
pub mod pipeline;
pub mod plan;
pub mod probcut;
pub mod regression;
pub mod selfplay;
pub mod wthor;

use rayon::prelude::*;

/// Creates a pool of `threads` threads.
///
/// # Panics
/// If the operating system cannot create them.
#[must_use]
pub fn thread_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .expect("the operating system can create threads")
}

/// Computes `work(0)`, `work(1)`, … on several threads and returns the results in order.
fn parallel_map<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    thread_pool(threads).install(|| {
        (0..count)
            .into_par_iter()
            .with_max_len(1)
            .map(&work)
            .collect()
    })
}
