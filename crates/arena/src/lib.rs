//! Matches and tournaments that can be believed.
//!
//! Which player is stronger, by how much, and how sure are we? A [`Tournament`] is
//! a plan; [`run`] plays it, several games at once, and every game is in a
//! [`results::Results`] before it counts, so that a tournament that was broken
//! off goes on where it stood. A [`Scoreboard`] is how things stand, a [`Report`] what
//! people read. Players are strategies of papan or engines in other processes
//! ([`protocol`]), judged by papan's rules and clock; and papan itself can be such
//! an engine ([`Responder`]).
//!
//! ```
//! use std::time::Duration;
//!
//! use papan_arena::{Format, Report, Settings, Tournament, run};
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
//!     adjudication: Default::default(),
//! };
//! let settings = Settings { concurrency: 2, sprt: None, observer: &mut |_| {}, onlookers: None };
//! let scoreboard = run(&tournament, &mut Memory::default(), settings)?;
//! let report = Report::of(&tournament, &scoreboard);
//! assert_eq!(report.games, 100);
//! assert_eq!(report.players[0].player, "minimax(depth=2)");
//! let (elo, margin) = (report.players[0].elo, report.players[0].margin);
//! assert!(elo.unwrap() - margin.unwrap() > 100.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjudication;
mod allowance;
mod batch;
pub mod check;
mod conversation_log;
mod delivery;
mod entrant;
pub mod export;
mod finished;
mod forfeit;
mod game_set;
mod guardian;
pub mod limits;
mod onlookers;
pub mod openings;
mod others;
mod plan_text;
mod played_games;
mod process;
pub mod protocol;
mod referee;
pub mod report;
mod responder;
pub mod results;
mod run;
mod schedule;
mod scoreboard;
mod seated_player;
mod standings;
pub mod statistics;
mod tournament;
mod wire_board;

pub use adjudication::{AdjudicatedBy, Adjudication, AdjudicationError, Agreement};
pub use allowance::Allowance;
pub use batch::{Batch, BatchError, Batches, Played, play_batches};
pub use entrant::{Entrant, EntrantError, EntrantKind, TermError};
pub use finished::{Cost, Finished, MoveNote, NotAGame};
pub use forfeit::{Forfeit, ForfeitKind};
pub use onlookers::{Onlookers, RunningGame};
pub use others::{Others, run_by_others};
pub use plan_text::PlanError;
pub use process::{ProcessFault, StartError};
pub use report::Report;
pub use responder::Responder;
pub use run::{ArenaError, Settings, Unseated, run};
pub use schedule::Schedule;
pub use scoreboard::Scoreboard;
pub use standings::{PairingTally, PlayerTally, ResultCount, Standings};
pub use tournament::{Format, PlannedGame, Tournament};
pub use wire_board::WireBoard;
