//! The Othello engine of papan.
//!
//! An alpha-beta searcher in the tradition of LOGISTELLO and Edax: bitboards, pattern evaluation with
//! a small neural network, PVS with Multi-ProbCut, an exact endgame solver, and parallel search over
//! one transposition table.
//!
//! | module | contents |
//! |---|---|
//! | `board` | bitboards: flips, mobility, stability |
//! | [`eval`] | pattern tables, network, weights file |
//! | `search` | iterative deepening, PVS, null-window search, ProbCut |
//! | `endgame` | exact solver for up to 13 empty squares |
//! | `parallel` | YBWC, ABDADA, parallel aspiration |
//! | `tt`, `memory`, `simd` | transposition table, huge pages, CPU features |
//! | [`book`] | opening book |
//! | `small` | a second engine, for 4x4 and 6x6 |
//!
//! [`Engine`] searches a [`Board`] within [`SearchLimits`]; [`EngineStrategy`] plays games with it;
//! [`mod@bench`] measures it. `papan-train` trains the weights.
//!
//! ```
//! use papan_othello::{Board, Engine, Options};
//! use papan_strategies::StopToken;
//!
//! // The mover's discs and the opponent's; a1 is the lowest bit.
//! let board = Board::try_new(0x000e_d4ee_d4b0_307c, 0x3e70_2811_2a4e_8e00)?;
//! let mut engine = Engine::new(&Options { threads: 1, hash_mib: 16 })?;
//! let result = engine.solve(board, &StopToken::default(), |_| {});
//! assert_eq!((result.score, result.exact), (18, true));
//! assert_eq!(result.best.map(|mv| mv.to_string()).as_deref(), Some("g8"));
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
pub use simd::cpu::{CodePath, CpuError, check_cpu, code_path, faster_build};
pub use small::{SmallEngine, SmallResult};
pub use strategy::{EngineStrategy, board_of, moves_of};
