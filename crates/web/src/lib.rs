//! The server: games in a browser, for two people on two machines.
//!
//! [`app`] is the whole site as a value, so that tests need no socket; [`serve`]
//! listens, with timeouts and limits, until it is told to stop. A game is a list
//! of events. An action becomes an event in `rulebook`, is on the disk before
//! anybody hears of it (`hub`), and then reaches everybody who looks (`stream`).
//!
//! ```
//! use std::sync::Arc;
//! use papan_store::SqliteGames;
//! use papan_strategies::SystemClock;
//! use papan_web::{Hub, Settings, app};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir()?;
//! let games = SqliteGames::open(&folder.path().join("games.sqlite")).await?;
//! let hub = Hub::open(Settings::default(), Arc::new(games), Arc::new(SystemClock)).await?;
//! let _site: axum::Router = app(&hub);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod app;
mod assets;
mod board_grid;
mod body;
mod calendar;
mod choice;
mod connection;
mod creation;
mod downloads;
mod engine_pool;
mod evaluation_bar;
mod event;
mod game_clock;
mod games;
mod hub;
mod identity;
mod kept_insight;
mod line_address;
mod live_match;
mod long_work;
mod metrics;
mod names;
mod operator;
mod opponents;
mod overlay;
mod page;
mod page_cache;
mod pages;
mod proofs;
mod puzzles;
mod rate;
mod rejection;
mod response;
mod room;
mod rulebook;
mod seated_players;
mod secret;
mod server;
mod settings;
mod state;
mod strategy_failure;
mod stream;
mod studies;
mod study;
mod system;
mod tournament_page;
mod variations;
mod visitor;
mod workers;

pub use app::{app, operator_app};
pub use calendar::Calendar;
pub use hub::Hub;
pub use seated_players::SeatedPlayers;
pub use secret::Secret;
pub use server::{ServeError, log, serve};
pub use settings::Settings;
pub use study::Study;
pub use tournament_page::{
    TournamentBoard, TournamentPage, TournamentSource, show_tournament, tournament_app,
};
