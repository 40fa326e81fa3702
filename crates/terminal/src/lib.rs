//! The full-screen board of a terminal.
//!
//! State, message, update, view: the [`state`] is plain data, each [`message`] makes
//! a new one of it and asks for effects ([`update`]), and the screen is a pure
//! function of it ([`view`]). Only [`terminal`] and [`effects`] touch the world.
//!
//! ```
//! use papan_terminal::{Environment, Settings, State, picture};
//!
//! let state = State::new(Settings::default(), Environment::default(), (80, 24));
//! let screen = picture::text(&state);
//! assert!(screen.contains("tictactoe"));
//! ```

pub mod analysis;
pub mod clock;
pub mod effects;
pub mod keys;
pub mod message;
pub mod picture;
mod run;
pub mod settings;
pub mod start_page;
pub mod state;
mod stepping;
pub mod table;
pub mod terminal;
pub mod tree;
pub mod update;
pub mod view;
pub mod wording;

pub use run::{Options, run};
pub use settings::{Drawing, Settings};
pub use state::{Environment, State};
