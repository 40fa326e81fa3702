//! The full-screen board of a terminal.
//!
//! State, message, update, view: the [`State`] is plain data, each [`Message`] makes
//! a new one of it and asks for [`Effect`]s ([`update`]), and the screen is a pure
//! function of it. Only the modules `terminal` and `effects` touch the world.
//!
//! ```
//! use papan_terminal::{Environment, Settings, State, picture};
//!
//! let state = State::new(Settings::default(), Environment::default(), (80, 24));
//! let screen = picture::text(&state);
//! assert!(screen.contains("tictactoe"));
//! ```

mod analysis;
mod clock;
mod effects;
mod keys;
mod message;
pub mod picture;
mod run;
mod settings;
mod start_page;
mod state;
mod stepping;
mod table;
mod terminal;
mod tree;
mod update;
mod view;
mod wording;

pub use analysis::on_bar;
pub use effects::thinker::Thinkers;
pub use message::{Effect, Failure, Message};
pub use run::{Options, run};
pub use settings::{Drawing, Settings, SettingsError};
pub use start_page::Row;
pub use state::{Environment, State};
pub use table::Annotation;
pub use terminal::Screen;
pub use update::{begin, update};
pub use view::geometry::of_table as geometry;
pub use wording::{failure as failure_text, settings as settings_text};
