//! Handlers of the pages that `papan-pages` renders: they parse the address, wait for engines, and
//! choose between HTML and JSON.

pub(crate) mod analysis;
pub(crate) mod assets;
pub(crate) mod automaton;
pub(crate) mod embed;
pub(crate) mod home;
pub(crate) mod import;
pub(crate) mod laboratory;
pub(crate) mod proof;
pub(crate) mod puzzles;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod setup;
pub(crate) mod studies;
pub(crate) mod trace;
