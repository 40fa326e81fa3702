//! Live games: event-sourced state, commands, clocks, computer players, peer servers.
//!
//! A request becomes a [`command`], which [`command::decide`] turns into an [`event`] or
//! rejects. [`commands`] stores the event and publishes the new [`state`] to the followers
//! of a [`live_game`]. The [`bot`] reconciler observes every change and starts searches.

pub(crate) mod bot;
pub(crate) mod catalog;
pub(crate) mod clock;
pub(crate) mod cluster;
pub(crate) mod command;
pub(crate) mod commands;
pub(crate) mod event;
pub(crate) mod live_game;
pub(crate) mod opponent;
pub(crate) mod programs;
pub(crate) mod registry;
pub(crate) mod snapshot;
pub(crate) mod state;
pub(crate) mod uptime;
