//! What people see, shared by all front ends.
//!
//! A [`BoardView`] is the board as data; [`text_board`] draws it for a
//! terminal, [`svg_board`] for pages and files,
//! [`png_board`] for places that show no SVG.
//! [`review`] tells a reviewed game, [`score`] says what a position is worth, [`json`] the same for programs.
//! [`Words`] are the texts, in English and Indonesian, from the Fluent files in
//! `locales/`; [`wording`] turns typed errors into sentences for a player.

pub mod automaton_graph;
mod board_view;
pub mod explain;
mod forced_win;
pub mod json;
mod language;
mod letters;
pub mod png_board;
pub mod review;
pub mod score;
mod setup;
mod svg;
pub mod svg_board;
pub mod text_board;
pub mod tree_picture;
pub mod wording;
mod words;

pub use fluent_bundle::FluentValue;

pub use board_view::{BoardView, CellView, Marks};
pub use forced_win::ForcedWin;
pub use language::Language;
pub use setup::Setup;
pub use svg::STYLE as DRAWING_STYLE;
pub use words::{Words, args};
