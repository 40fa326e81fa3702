//! Full-screen terminal user interface, built on The Elm Architecture.
//!
//! The [`State`] is plain data. [`update`] applies a [`Message`] (a key, a mouse event, a search
//! result, a timer tick) to it and returns [`Effect`]s for the runtime to perform; the screen is
//! a pure function of the state. Only the modules `terminal` and `effects` do input and output,
//! so that every screen and every reaction can be tested without a terminal.
//!
//! Dependencies point one way: `run` uses `update`, `update` uses `view` (for mouse hit tests), and
//! both use `state`.
//!
//! References: <https://guide.elm-lang.org/architecture/>,
//! <https://ratatui.rs/concepts/application-patterns/the-elm-architecture/>
//!
//! ```
//! use papan_terminal::{Environment, Settings, State, snapshot};
//!
//! let state = State::new(Settings::default(), Environment::default(), (80, 24));
//! let screen = snapshot::text(&state);
//! assert!(screen.contains("tictactoe"));
//! ```

mod analysis;
mod clock;
mod effects;
mod game;
mod keys;
mod layout;
mod message;
mod run;
mod settings;
pub mod snapshot;
mod start_page;
mod state;
mod stepping;
mod terminal;
mod text;
mod theme;
mod tracer;
mod tree;
mod update;
mod view;

pub use analysis::on_bar;
pub use effects::engine_tasks::EngineTasks;
pub use game::Annotation;
pub use layout::board_layout;
pub use message::{Effect, Failure, Message};
pub use run::{Options, run};
pub use settings::{Drawing, Settings, SettingsError};
pub use start_page::Row;
pub use state::{Environment, State};
pub use terminal::Screen;
pub use text::{failure as failure_text, settings as settings_text};
pub use tracer::{Appearance as TraceAppearance, Stepper, run_trace};
pub use update::{begin, update};
