//! Web server: pages, live games between browsers, an HTTP API.
//!
//! [`app`] returns the site as an axum router, so tests need no socket; [`serve`] adds a
//! listener with timeouts and limits. Games are event-sourced: a command is decided against
//! the current state, the resulting event is stored, and only then published to all event
//! streams (server-sent events).
//!
//! - `http`: listener, router, middleware, extractors, errors
//! - `game`: state, events, commands, computer players, peer servers
//! - `analysis`: thread pool, position analysis, reviews, proofs
//! - `handlers`: handlers of the pages that `papan-pages` renders
//! - `api`, `pages`, `admin`: other handlers
//!
//! ```
//! use std::sync::Arc;
//! use papan_store::SqliteGames;
//! use papan_strategies::SystemClock;
//! use papan_web::{AppState, Settings, app};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir()?;
//! let games = SqliteGames::open(&folder.path().join("games.sqlite")).await?;
//! let state = AppState::open(Settings::default(), Arc::new(games), Arc::new(SystemClock)).await?;
//! let _router: axum::Router = app(&state);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod admin;
mod analysis;
mod api;
mod game;
mod handlers;
mod http;
mod pages;
mod settings;
mod shutdown;
mod state;
mod subnet;
mod system;
#[doc(hidden)]
pub mod untrusted;
mod visitor_data;
mod wall_clock;

pub use http::app::{admin_app, app};
pub use http::engine_files::{EngineFiles, EngineFilesError};
pub use http::secret::Secret;
pub use http::server::{BoundAddresses, ServeError, log, serve};
pub use pages::tournament::{
    TournamentBoard, TournamentPage, TournamentSource, show_tournament, tournament_app,
};
use papan_analysis::side;
pub use papan_analysis::side::Side;
pub use papan_pages::programs::OfferedProgram;
pub use settings::Settings;
pub use state::{AppState, Services};
pub use wall_clock::WallClock;
