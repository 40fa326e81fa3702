//! Lines of play from Python's `Position` and `Board`.

use papan_catalog::{AnyGame, AnyLine};
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::game::read_move;
use crate::position::Position;

/// The start and the moves of a `Position` or a `Board`, detached from Python.
pub(crate) struct PlayedLine {
    pub(crate) game: AnyGame,
    start: String,
    moves: Vec<papan_rules::Move>,
}

impl PlayedLine {
    /// Reads a `Position`, or a `Board` with its attributes `start` and `actions`.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(position) = value.cast::<Position>() {
            let position = position.get();
            return Ok(Self {
                game: position.any_game(),
                start: position.position_text(),
                moves: Vec::new(),
            });
        }
        // Another error than a missing attribute may be Ctrl-C.
        let start = value.getattr_opt("start")?;
        let start = start.ok_or_else(|| not_a_board(value))?;
        let start = start.cast::<Position>().map_err(|_| not_a_board(value))?;
        let game = start.get().any_game();
        let actions = value.getattr("actions")?.try_iter()?;
        let moves = actions
            .map(|action| read_move(&game, &action?))
            .collect::<PyResult<_>>()?;
        Ok(Self {
            start: start.get().position_text(),
            game,
            moves,
        })
    }

    /// The start position.
    pub(crate) fn start_text(&self) -> &str {
        &self.start
    }

    /// Replays the moves on a game value.
    pub(crate) fn line(&self, game: &AnyGame) -> PyResult<Box<dyn AnyLine>> {
        let usual = game.line();
        let mut line = if usual.position_text() == self.start {
            usual
        } else {
            game.line_from(&self.start).map_err(value_error)?
        };
        for &mv in &self.moves {
            line.play(mv).map_err(value_error)?;
        }
        Ok(line)
    }
}

fn not_a_board(value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type();
    pyo3::exceptions::PyTypeError::new_err(format!("expected a Position or a Board, not {kind}"))
}
