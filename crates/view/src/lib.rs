//! What people see, shared by all front ends.
//!
//! A [`BoardView`] is the board as data; [`text_board`] draws it for a
//! terminal, [`svg_board`] for pages and files,
//! [`png_board`] for places that show no SVG.
//! [`review`] tells a reviewed game, [`score`] says what a position is worth, [`json`] the same for programs.
//! [`Messages`] are the texts, in English and Indonesian, from the Fluent files in
//! `locales/`; [`messages`] turns typed errors into sentences for a player.

pub mod automaton_graph;
mod board_view;
pub mod explain;
mod forced_win;
mod i18n;
pub mod json;
mod language;
pub mod messages;
pub mod png_board;
pub mod review;
pub mod score;
mod setup;
mod stroke_font;
mod svg;
pub mod svg_board;
pub mod text_board;
pub mod tree_svg;

pub use fluent_bundle::FluentValue;

pub use board_view::{BoardView, CellView, Marks};
pub use forced_win::ForcedWin;
pub use i18n::{Messages, args};
pub use language::Language;
pub use setup::Setup;
pub use svg::STYLE as SVG_STYLESHEET;
