//! The server: games in a browser, for two people on two machines.
//!
//! [`app`] is the whole site as a value, so that tests need no socket; [`serve`]
//! listens, with timeouts and limits, until it is told to stop. A game is a list
//! of events. An action becomes an event in `rulebook`, is on the disk before
//! anybody hears of it (`hub`), and then reaches everybody who looks (`stream`).
//!
//! ```
//! use std::sync::Arc;
//! use papan_store::games::SqliteGames;
//! use papan_web::{Hub, Settings, app};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir()?;
//! let games = SqliteGames::open(&folder.path().join("games.sqlite")).await?;
//! let hub = Hub::open(Settings::default(), Arc::new(games)).await?;
//! let _site: axum::Router = app(&hub);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod app;
mod assets;
mod board;
mod body;
pub mod clock;
mod connection;
mod creation;
mod desk;
mod downloads;
mod dress;
pub mod engine_pool;
pub mod event;
pub mod fault;
mod games;
mod hub;
pub mod live_match;
pub mod metrics;
mod operator;
mod overlay;
mod page;
mod pages;
mod place;
pub mod proofs;
pub mod rate;
mod refusal;
pub mod room;
pub mod rulebook;
pub mod seats;
pub mod secret;
mod server;
mod settings;
pub mod state;
mod stream;
pub mod studies;
mod variations;
mod visitor;

pub use app::app;
pub use hub::{Gates, Hub, Request};
pub use refusal::{Conflict, Malformed, Refusal};
pub use server::{ServeError, log, serve};
pub use settings::Settings;
