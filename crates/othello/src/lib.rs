//! The Othello engine of papan: as many plies as it can see, as fast as it can see them.
//!
//! [`Engine`] is the façade: a position, a task, a report. Inside, mover-relative bitboards
//! ([`Board`]), an evaluation by trained patterns ([`Evaluation`]), principal-variation search with
//! multi-ProbCut far from the end and exact search near it, all threads at one tree with one
//! hash table. [`EngineStrategy`] seats it at a game; [`mod@bench`] measures it. What it
//! learned is in a weights file ([`eval::weights`]), which `papan-train` makes.
//!
//! ```
//! use papan_othello::{Board, Engine, Options};
//! use papan_strategies::StopToken;
//!
//! // The mover's discs and the other's, a1 the lowest bit.
//! let board = Board::try_new(0x000e_d4ee_d4b0_307c, 0x3e70_2811_2a4e_8e00).expect("no square has two discs");
//! let mut engine = Engine::new(&Options { threads: 1, hash_mib: 16 })?;
//! let report = engine.solve(board, &StopToken::default(), |_| {});
//! assert_eq!((report.score, report.exact), (18, true));
//! assert_eq!(report.best.map(|mv| mv.to_string()).as_deref(), Some("g8"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
mod board;
pub mod book;
mod endgame;
mod engine;
pub mod eval;
mod memory;
mod parallel;
mod problem;
mod search;
mod simd;
mod small;
mod strategy;
#[cfg(test)]
mod testing;
mod tt;

pub use board::perft::perft;
pub use board::square::{Square, SquareError, Squares};
pub use board::{Board, OverlapError};
pub use book::Book;
pub use engine::{Engine, EngineError, MAX_THREADS, Options};
pub use eval::{Evaluation, ProbCutModel};
pub use problem::Problem;
pub use search::limits::SearchLimits;
pub use search::result::{RootMove, SearchResult};
pub use simd::cpu::{CodePath, CpuError, check_cpu, code_path};
pub use small::{SmallEngine, SmallResult};
pub use strategy::{EngineStrategy, board_of, moves_of};
