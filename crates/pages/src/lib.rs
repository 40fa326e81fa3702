//! Pages as a function of address, fields and language.
//!
//! Each module has the templates (`templates/`) and the view of one page. Nothing here waits, stores or
//! knows a request: the server (`papan-web`) and the static site (`papan-wasm`) parse the address, let an
//! engine compute the decision, review or proof that the page shows, and call `page`.

pub mod analysis;
pub mod assets;
pub mod atlas;
pub mod automaton;
pub mod board_grid;
pub mod clock_title;
pub mod downloads;
pub mod embed;
pub mod error;
pub mod evaluation_bar;
pub mod form_defaults;
pub mod form_fields;
pub mod game;
pub mod game_study;
pub mod game_title;
pub mod games;
pub mod home;
pub mod import;
pub mod laboratory;
pub mod layout;
pub mod live_update;
pub mod mine;
pub mod numbers;
pub mod opponent;
pub mod overlay;
pub mod position_url;
pub mod programs;
pub mod proof;
pub mod puzzle_trainer;
pub mod review;
pub mod rules;
pub mod setup;
pub mod site;
mod strategy_field;
mod strategy_menu;
pub mod strategy_policy;
pub mod studies;
pub mod trace;
pub mod trace_url;
pub mod variations;
pub mod walk;

pub use error::PageError;
pub use games::Games;
pub use layout::{Layout, PageContext};
