//! HTML pages. Each is a template in `templates/` and the data that it shows.

pub(crate) mod analysis;
pub(crate) mod automaton;
pub(crate) mod board_grid;
pub(crate) mod embed;
pub(crate) mod evaluation_bar;
pub(crate) mod form_defaults;
pub(crate) mod game;
pub(crate) mod game_title;
pub(crate) mod home;
pub(crate) mod invitation;
pub(crate) mod laboratory;
pub(crate) mod language;
pub(crate) mod layout;
pub(crate) mod lobby;
pub(crate) mod me;
pub(crate) mod overlay;
pub(crate) mod position_url;
pub(crate) mod proof;
pub(crate) mod puzzles;
pub(crate) mod review;
pub(crate) mod setup;
pub(crate) mod tournament;
pub(crate) mod trace;
pub(crate) mod trace_url;
pub(crate) mod variations;
pub(crate) mod walk;
