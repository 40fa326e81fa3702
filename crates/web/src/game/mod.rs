//! Live games: event-sourced state, commands, clocks, computer players, other servers.

pub(crate) mod bot;
pub(crate) mod clock;
pub(crate) mod cluster;
pub(crate) mod command;
pub(crate) mod commands;
pub(crate) mod event;
pub(crate) mod live_game;
pub(crate) mod opponent;
pub(crate) mod snapshot;
pub(crate) mod state;
