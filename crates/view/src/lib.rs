//! Presentation layer shared by all front ends: views, drawings, localised messages, JSON.
//!
//! A [`BoardView`] is the view model of a board. [`text_board`] draws it for a terminal,
//! [`svg_board`] for web pages and files, [`png_board`] for programs without SVG. [`explain`] and
//! [`review`] present decisions and reviewed games, [`score`] formats scores, [`json`] has the types
//! of all JSON output. [`Messages`] looks up the Fluent messages of `locales/` in English and
//! Indonesian; [`messages`] turns typed errors into sentences.
//!
//! ```
//! use papan_catalog::AnyGame;
//! use papan_view::text_board::{self, Style};
//! use papan_view::{BoardView, Language, Messages};
//!
//! let game: AnyGame = "tictactoe".parse().unwrap();
//! let mut line = game.line();
//! line.extend("5 1").unwrap();
//! let messages = Messages::new(Language::English);
//! let board = text_board::draw(&BoardView::of(&*line), Style::default(), messages);
//! assert!(board.contains("X"));
//! ```

pub mod automaton_check;
pub mod automaton_graph;
mod board_view;
mod clock_face;
pub mod document_screen;
mod drawing;
pub mod explain;
mod forced_win;
mod i18n;
pub mod json;
mod language;
pub mod messages;
mod move_notation;
mod phrases;
pub mod png_board;
pub mod puzzle;
pub mod queens_tree;
pub mod review;
pub mod score;
mod setup;
mod stroke_font;
pub mod svg_board;
pub mod text_board;
pub mod threats;
pub mod trace;
pub mod trace_frame;
pub mod tree_drawing;
pub mod tree_text;

pub use fluent_bundle::{FluentArgs, FluentValue};

pub use board_view::{BoardView, CellView, Marks};
pub use clock_face::clock_face;
pub use drawing::{Drawing, STYLE as SVG_STYLESHEET, escape_xml};
pub use forced_win::ForcedWin;
pub use i18n::{Messages, args};
pub use language::Language;
pub use move_notation::MoveNotation;
pub use setup::Setup;
