//! Registry: names to games, players and levels.
//!
//! The only crate that names every concrete game and strategy. [`AnyGame`] is a game by name,
//! [`PlayerSpec`] a player by name; an [`AnyLine`] is a line of play and a [`Seat`] a seated player
//! without their Rust types. Whole computations (a proof, a thousand games) are written once over
//! [`Family`] and run monomorphised through [`AnyGame::visit`].
//!
//! ```
//! use papan_catalog::{AnyGame, StrategySpec};
//! use papan_strategies::{Context, Limits};
//!
//! let game: AnyGame = "tictactoe:4x4".parse()?;
//! let player: StrategySpec = "alphabeta(depth=2)".parse()?;
//! let mut seat = game.seat(&player, &Limits::default())?;
//! let line = game.line();
//! let decision = seat.decide(&*line, &Context::default())?;
//! assert_eq!(game.format_move(decision.best), "1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advisor;
mod any_game;
mod any_grid;
mod any_line;
mod board_info;
mod bundled_certificates;
mod certificate_check;
mod computer;
pub mod dirs;
mod families;
mod game_name;
mod guest;
mod openings;
pub mod other_moves;
#[cfg(test)]
mod page_examples;
mod player_text;
pub mod puzzles;
mod registry;
pub mod review;
mod seat;
mod seat_pool;
mod solver;
mod strategy_factory;
mod strategy_info;
mod strategy_proof;
mod suggestion;
pub mod trace;
pub mod tree;
pub mod user_book;
mod weights_file;

pub use advisor::{advisor, opponents};
pub use any_grid::{AnyGrid, GridSolution, ReplyProgress};
pub use any_line::{AnyLine, TypedLine};
pub(crate) use board_info::BoardInfo;
pub use bundled_certificates::{BundledCertificate, InstallError};
pub use certificate_check::{CertificateCheck, CheckedCertificate, RefusedCertificate};
pub use computer::{DEFAULT_LEVEL, LEVELS};
pub use families::{AnyGame, FAMILIES, Family, FamilyEntry, GameVisitor};
pub use game_name::GameError;
pub use guest::{Guest, GuestMove, GuestPlayer, GuestTurn};
pub use openings::{opening, openings_of};
pub use papan_othello::{EngineError, MAX_THREADS};
pub use player_text::{PlayerError, PlayerProblem, PlayerSpec, StrategySpec, split_players};
pub use registry::{STRATEGIES, strategy_info};
pub use seat::{Seat, TypedSeat};
pub use seat_pool::{PooledSeat, SeatPool, memory_mib};
pub use solver::{SolveError, SolvedPosition, Solver};
pub use strategy_factory::strategy_factory;
pub use strategy_info::{Argument, Arguments, Parameter, ParameterKind, StrategyInfo, Unplayable};
pub use strategy_proof::{ProofTask, StrategyProof, StrategyProofError};
pub use suggestion::closest_match;
pub use weights_file::{WeightsFile, WeightsFileError};
