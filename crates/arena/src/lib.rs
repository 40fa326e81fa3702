//! Matches and tournaments that can be believed.

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
mod run;
pub mod sprt;
pub mod standings;
pub mod tournament;

pub use ledger::Ledger;
pub use report::Report;
pub use run::{ArenaError, Settings, run};
pub use standings::Standings;
pub use tournament::{Format, Tournament};
