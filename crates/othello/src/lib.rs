//! The Othello engine of papan: as many plies as it can see, as fast as it can see them.
//!
//! [`Engine`] is the façade: a position, a task, a report. Inside, mover-relative bitboards
//! ([`Board`]), an evaluation by trained patterns ([`Weights`]), principal-variation search with
//! multi-ProbCut far from the end and exact search near it, all threads at one tree with one
//! hash table. [`EngineStrategy`] seats it at a game; [`mod@bench`] measures it; [`train`] makes its
//! weights.
//!
//! ```
//! use papan_othello::{Engine, Options, obf, square_name};
//! use papan_strategies::StopToken;
//!
//! let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
//! let problem = obf::parse_line(line, 1)?;
//! let mut engine = Engine::new(&Options { threads: 1, hash_mib: 16 })?;
//! let report = engine.solve(problem.board, &StopToken::default(), |_| {});
//! assert_eq!((report.score, report.exact), (18, true));
//! assert_eq!(report.best.map(square_name).as_deref(), Some("g8"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
mod board;
mod bucket;
mod cpu;
mod crew;
mod deepening;
mod endgame;
mod engine;
mod features;
mod flip;
mod last;
mod memory;
mod midgame;
mod mobility;
mod near;
pub mod obf;
mod ordering;
mod pages;
mod perft;
mod principal;
mod promise;
mod report;
mod schedule;
mod search;
mod selectivity;
mod square;
mod stability;
mod strategy;
mod sync;
mod table;
mod task;
#[cfg(test)]
mod testing;
pub mod train;
mod weights;
mod worker;

pub use board::{Board, square_name, square_of};
pub use cpu::{CodePath, CpuError, check_cpu, code_path};
pub use engine::{Engine, EngineError, Options};
pub use perft::perft;
pub use report::{MoveReport, Report};
pub use strategy::{EngineStrategy, board_of, moves_of};
pub use task::Task;
pub use weights::{Weights, WeightsError};
