//! Lines of play.

use papan_catalog::AnyLine;
use papan_rules::{Outcome, Pieces, Player};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, json, messages};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};
use crate::object::{from_object, to_object};

/// A line of play: a start and moves. Create it with `Game.line`.
#[wasm_bindgen]
pub struct Line(pub(crate) Box<dyn AnyLine>);

#[derive(Serialize)]
struct Board {
    game: String,
    sides: Vec<usize>,
    pieces: &'static str,
    turn: String,
    outcome: Option<String>,
    counts: [usize; 2],
    cells: Vec<Cell>,
    slices: Vec<Vec<Vec<usize>>>,
}

#[derive(Serialize)]
struct Cell {
    name: String,
    #[serde(rename = "move")]
    mv: String,
    piece: Option<String>,
    legal: bool,
    last: bool,
    flipped: bool,
    winning: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PictureOptions {
    names: bool,
    legal: bool,
}

impl PictureOptions {
    fn read(options: &JsValue) -> Result<DrawOptions, JsError> {
        let Self { names, legal } = from_object(options, "options")?;
        Ok(DrawOptions {
            names,
            legal,
            ..DrawOptions::default()
        })
    }
}

fn outcome_word(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => player.to_string(),
        Outcome::Draw => "draw".into(),
    }
}

#[wasm_bindgen]
impl Line {
    /// A copy that can be continued by itself.
    #[wasm_bindgen]
    pub fn copy(&self) -> Self {
        Self(self.0.clone())
    }

    /// Whose turn it is.
    #[wasm_bindgen(getter, unchecked_return_type = "Seat")]
    pub fn turn(&self) -> String {
        self.0.turn().to_string()
    }

    /// The legal moves.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<String> {
        json::moves(&self.0.game(), &self.0.legal_moves())
    }

    /// Plays one or several moves, separated by spaces. An error leaves the line as it was.
    #[wasm_bindgen]
    pub fn play(&mut self, moves: &str) -> Result<(), JsError> {
        let mut longer = self.0.clone();
        extend(&mut *longer, moves)?;
        self.0 = longer;
        Ok(())
    }

    /// Takes the last move back and returns it.
    #[wasm_bindgen]
    pub fn undo(&mut self) -> Option<String> {
        let undone = self.0.undo()?;
        Some(self.0.game().format_move(undone))
    }

    /// The winner, or `draw`; `undefined` while the game is not over.
    #[wasm_bindgen(getter, unchecked_return_type = "Seat | \"draw\" | undefined")]
    pub fn outcome(&self) -> Option<String> {
        self.0.outcome().map(outcome_word)
    }

    /// The final score of the first player.
    #[wasm_bindgen(getter)]
    pub fn score(&self) -> i32 {
        self.0.final_score(Player::First)
    }

    /// The moves.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> Vec<String> {
        json::moves(&self.0.game(), self.0.moves())
    }

    /// The position as text, as `Game.lineFrom` reads it.
    #[wasm_bindgen(getter)]
    pub fn position(&self) -> String {
        self.0.position_text()
    }

    /// The board to draw.
    #[wasm_bindgen(unchecked_return_type = "Board")]
    pub fn board(&self) -> Result<JsValue, JsError> {
        let view = BoardView::of(&*self.0);
        let slices = view.slices();
        to_object(&Board {
            game: view.game,
            sides: view.sides,
            pieces: match view.pieces {
                Pieces::Marks => "marks",
                Pieces::Discs => "discs",
                Pieces::Stones => "stones",
            },
            turn: view.turn.to_string(),
            outcome: view.outcome.map(outcome_word),
            counts: view.counts,
            cells: view
                .cells
                .into_iter()
                .map(|cell| Cell {
                    name: cell.name,
                    mv: cell.written,
                    piece: cell.piece.map(|player| player.to_string()),
                    legal: cell.legal,
                    last: cell.last,
                    flipped: cell.flipped,
                    winning: cell.winning,
                })
                .collect(),
            slices,
        })
    }

    /// The board as an SVG document; `title` is for screen readers.
    #[wasm_bindgen]
    pub fn svg(
        &self,
        title: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "PictureOptions")] options: &JsValue,
    ) -> Result<String, JsError> {
        let options = PictureOptions::read(options)?;
        Ok(svg_board::draw(&BoardView::of(&*self.0), &options, title))
    }

    /// Every cell as SVG elements in a square of 100 units, for a board of buttons.
    #[wasm_bindgen(js_name = cellPictures)]
    pub fn cell_pictures(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PictureOptions")] options: &JsValue,
    ) -> Result<Vec<String>, JsError> {
        let options = PictureOptions::read(options)?;
        let view = BoardView::of(&*self.0);
        let cells = 0..view.cells.len();
        Ok(cells
            .map(|cell| svg_board::cell(&view, cell, &options))
            .collect())
    }
}

impl Line {
    pub(crate) fn new(mut line: Box<dyn AnyLine>, moves: Option<&str>) -> Result<Self, JsError> {
        if let Some(moves) = moves {
            extend(&mut *line, moves)?;
        }
        Ok(Self(line))
    }
}

fn extend(line: &mut dyn AnyLine, moves: &str) -> Result<(), JsError> {
    let before = line.clone_line();
    line.extend(moves)
        .map_err(|error| plain(messages::line(error::messages(), &*before, &error)))
}
