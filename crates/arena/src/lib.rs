//! Matches and tournaments that can be believed.
//!
//! Which player is stronger, by how much, and how sure are we? A [`Tournament`] is
//! a plan; [`run`] plays it, several games at once, and every game is in a
//! [`results::Results`] before it counts, so that a tournament that was broken
//! off goes on where it stood. A [`Ledger`] is how things stand, a [`Report`] what
//! people read. Players are strategies of papan or engines in other processes
//! ([`protocol`]), judged by papan's rules and clock; and papan itself can be such
//! an engine ([`desk`]).
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
//! };
//! let settings = Settings { concurrency: 2, sprt: None, observer: &mut |_| {} };
//! let ledger = run(&tournament, &mut Memory::default(), settings)?;
//! let report = Report::of(&tournament, &ledger);
//! assert_eq!(report.games, 100);
//! assert_eq!(report.players[0].player, "minimax(depth=2)");
//! assert!(report.players[0].elo - report.players[0].margin > 100.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
mod chair;
pub mod check;
pub mod desk;
pub mod elo;
pub mod entrant;
pub mod finished;
pub mod forfeit;
pub mod ledger;
pub mod limits;
pub mod openings;
pub mod pentanomial;
pub mod process;
pub mod protocol;
pub mod ratings;
mod referee;
pub mod report;
pub mod results;
mod run;
pub mod sprt;
pub mod standings;
pub mod tournament;

pub use ledger::Ledger;
pub use report::Report;
pub use run::{ArenaError, Settings, run};
pub use standings::Standings;
pub use tournament::{Format, Tournament};
