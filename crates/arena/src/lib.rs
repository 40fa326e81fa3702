//! Matches and tournaments with ratings, error bars and crash-safe results.
//!
//! A [`Tournament`] is a plan; [`run`] plays it, several games at once, and every game is in a
//! [`results::Results`] before it counts, so an interrupted tournament continues where it stopped.
//! A [`Scoreboard`] holds the standings, a [`Report`] presents them. Players are strategies of
//! papan or engines in other processes (`papan-protocol`), judged by papan's rules and clock.
//!
//! ```
//! use std::time::Duration;
//!
//! use papan_arena::{Format, Report, RunOptions, Tournament, run};
//! use papan_arena::results::Memory;
//!
//! let tournament = Tournament {
//!     game: "tictactoe".parse()?,
//!     entrants: vec!["random".parse()?, "minimax(depth=2)".parse()?],
//!     format: Format::RoundRobin,
//!     games: 100,
//!     openings: vec![Vec::new()],
//!     limits: Default::default(),
//!     margin: Duration::ZERO,
//!     patience: Duration::from_secs(60),
//!     seed: 1,
//!     timed: false,
//!     swap: None,
//!     adjudication: Default::default(),
//! };
//! let settings = RunOptions { concurrency: 2, sprt: None, observer: &mut |_| {}, live_games: None, stop: papan_strategies::StopToken::default() };
//! let scoreboard = run(&tournament, &mut Memory::default(), settings)?;
//! let report = Report::of(&tournament, &scoreboard);
//! assert_eq!(report.games, 100);
//! assert_eq!(report.players[0].player, "minimax(depth=2)");
//! let (elo, margin) = (report.players[0].elo, report.players[0].margin);
//! assert!(elo.unwrap() - margin.unwrap() > 100.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "jobs")]
mod distributed;
mod entrant;
pub mod export;
mod game;
pub mod grading;
pub mod openings;
pub mod report;
pub mod results;
pub mod statistics;
mod tournament;

#[cfg(feature = "jobs")]
pub use distributed::{
    Batch, BatchError, DistributedOptions, PlayedBatch, Table, TournamentGames, run_distributed,
};
pub use entrant::{Entrant, EntrantError, EntrantKind, EntrantOptionError};
pub use game::adjudication::{AdjudicatedBy, Adjudication, AdjudicationError, Agreement};
pub use game::game_result::{Cost, DecodeError, GameResult, MoveNote};
pub use game::player::SeatError;
pub use game::spectate::{LiveGames, RunningGame};
pub use report::Report;
pub use tournament::json::PlanError;
pub use tournament::runner::{ArenaError, RunOptions, run};
pub use tournament::schedule::Schedule;
pub use tournament::scoreboard::Scoreboard;
pub use tournament::standings::{PairingTally, PlayerTally, ResultCount, Standings};
pub use tournament::{Format, ScheduledGame, Tournament};
