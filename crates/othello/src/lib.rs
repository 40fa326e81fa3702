//! The Othello engine of papan: as many plies as it can see, as fast as it can see them.
//!
//! [`Engine`] is the façade: a position, a task, a report. Inside, mover-relative bitboards
//! ([`Board`]), an evaluation by trained patterns ([`Evaluation`]), principal-variation search with
//! multi-ProbCut far from the end and exact search near it, all threads at one tree with one
//! hash table. [`EngineStrategy`] seats it at a game; [`mod@bench`] measures it. What it
//! learned is in a weights file ([`weights`]), which `papan-train` makes.
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
mod bracket;
mod bucket;
mod choices;
mod code;
mod course;
mod cpu;
mod crew;
mod deepening;
mod endgame;
mod engine;
pub mod evaluation;
mod features;
mod few;
mod flip;
mod geometry;
mod kind;
mod last;
mod midgame;
mod mobility;
mod near;
pub mod network;
mod node;
mod ordering;
mod pages;
mod perft;
mod principal;
mod problem;
mod promise;
mod report;
mod schedule;
mod score;
mod search;
mod searcher;
mod selectivity;
mod sharing;
mod small;
mod square;
mod stability;
mod strategy;
mod sync;
mod table;
mod task;
#[cfg(test)]
mod testing;
mod together;
pub mod weights;

pub use board::{Board, OverlapError};
pub use book::Book;
pub use cpu::{CodePath, CpuError, check_cpu, code_path};
pub use engine::{Engine, EngineError, MOST_THREADS, Options};
pub use evaluation::Evaluation;
pub use perft::perft;
pub use problem::Problem;
pub use report::{MoveReport, Report};
pub use selectivity::{ProbCut, Spread};
pub use small::{SmallEngine, SmallReport};
pub use square::{Square, SquareError, Squares};
pub use strategy::{EngineStrategy, board_of, moves_of};
pub use task::Task;
