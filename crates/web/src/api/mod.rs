//! Handlers for games: create, command, export, follow, import. They answer HTML or JSON.

pub(crate) mod create_game;
pub(crate) mod downloads;
pub(crate) mod events;
pub(crate) mod exports;
pub(crate) mod games;
pub(crate) mod hints;
pub(crate) mod live_analysis;
pub(crate) mod openapi;
pub(crate) mod request;
