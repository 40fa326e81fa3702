//! Handlers for games: create, move, offer, export, follow. They answer HTML or JSON.

pub(crate) mod create_game;
pub(crate) mod downloads;
pub(crate) mod events;
pub(crate) mod exports;
pub(crate) mod games;
pub(crate) mod hints;
