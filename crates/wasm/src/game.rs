//! Games by name.

use papan_catalog::{AnyGame, BundledCertificate, FAMILIES, LEVELS, WeightsFile, opponents};
use papan_view::messages;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{self, plain};
use crate::line::Line;
use crate::object::to_object;

#[derive(Serialize)]
struct Family {
    name: &'static str,
    examples: &'static [&'static str],
}

/// Returns the families of games with examples of their names.
#[wasm_bindgen(unchecked_return_type = "Family[]")]
pub fn games() -> Result<JsValue, JsError> {
    let families: Vec<Family> = FAMILIES
        .iter()
        .map(|family| Family {
            name: family.name,
            examples: family.examples,
        })
        .collect();
    to_object(&families)
}

/// Returns the highest level of `computer(level=N)`; the lowest is 0.
#[wasm_bindgen(js_name = maxLevel)]
pub fn max_level() -> u32 {
    *LEVELS.end() as u32
}

/// A game, such as `othello`, `tictactoe:4x4x4` or `gomoku:renju`.
#[wasm_bindgen]
pub struct Game(pub(crate) AnyGame);

#[wasm_bindgen]
impl Game {
    /// Finds a game by its name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, JsError> {
        match name.parse() {
            Ok(game) => Ok(Self(game)),
            Err(error) => Err(plain(messages::game(error::messages(), &error))),
        }
    }

    /// The canonical name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// The sides of the board.
    #[wasm_bindgen(getter)]
    pub fn sides(&self) -> Vec<u32> {
        let sides = self.0.shape().sides();
        sides.iter().map(|&side| side as u32).collect()
    }

    /// The weights that the engine of this game needs and that are not loaded yet: `loadWeights`
    /// loads the file of this name.
    #[wasm_bindgen(getter, js_name = missingWeights)]
    pub fn missing_weights(&self) -> Option<String> {
        let weights = WeightsFile::of(&self.0)?;
        (!weights.is_loaded()).then(|| weights.name().to_owned())
    }

    /// The certificate of the board's value that `engine` and `perfect` play from, if there is one
    /// that is not part of the module: `loadCertificate` loads it.
    #[wasm_bindgen(getter, js_name = missingCertificate)]
    pub fn missing_certificate(&self) -> Option<String> {
        let certificate = self.certificate()?;
        let is_missing = certificate.bytes().is_none();
        is_missing.then(|| certificate.file_name.to_owned())
    }

    /// The strategies that play this game, as `Player` takes them.
    #[wasm_bindgen]
    pub fn players(&self) -> Vec<String> {
        let specs = opponents(&self.0);
        specs.iter().map(ToString::to_string).collect()
    }

    /// A line of play from the beginning of the game, with these moves.
    #[wasm_bindgen]
    pub fn line(&self, moves: Option<String>) -> Result<Line, JsError> {
        Line::new(self.0.line(), moves.as_deref())
    }

    /// A line of play from a position, with these moves.
    #[wasm_bindgen(js_name = lineFrom)]
    pub fn line_from(&self, position: &str, moves: Option<String>) -> Result<Line, JsError> {
        match self.0.line_from(position) {
            Ok(line) => Line::new(line, moves.as_deref()),
            Err(error) => Err(plain(messages::position(error::messages(), &error))),
        }
    }
}

impl Game {
    fn certificate(&self) -> Option<&'static BundledCertificate> {
        let grid = self.0.as_grid()?;
        BundledCertificate::of(self.0.shape().sides(), grid.length())
    }
}
