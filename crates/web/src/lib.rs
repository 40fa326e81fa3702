//! The server: games in a browser, for two people on two machines.
//!
//! [`app`] is the whole site as a value, so that tests need no socket; [`serve`]
//! listens, with timeouts and limits, until it is told to stop. A game is a list
//! of events. An action becomes an event in `rulebook`, is on the disk before
//! anybody hears of it (`app`), and then reaches everybody who looks (`stream`).
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
//! let _site: axum::Router = app(&state);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod admin;
mod analysis;
mod api;
mod game;
mod http;
mod pages;
mod settings;
mod state;
mod system;
mod wall_clock;

pub use analysis::engine_cache::EngineCache;
pub use analysis::job::AnalysisJob;
pub use http::app::{admin_app, app};
pub use http::secret::Secret;
pub use http::server::{ServeError, log, serve};
pub use pages::tournament::{
    TournamentBoard, TournamentPage, TournamentSource, show_tournament, tournament_app,
};
pub use settings::Settings;
pub use state::AppState;
pub use wall_clock::WallClock;
