//! The puzzles of `papan puzzles`.

use papan_catalog::puzzles::{self, Attempt};
use papan_view::{json, puzzle};
use pyo3::prelude::*;

use crate::errors::{runtime_error, value_error};
use crate::player::language;

/// A damaged puzzle of the collection.
fn damaged(id: &str) -> PyErr {
    runtime_error(format!("puzzle {id} is damaged"))
}

/// Returns all puzzles, each as the JSON of `papan puzzles` and its task as a sentence.
#[pyfunction]
#[pyo3(signature = (*, lang))]
pub(crate) fn puzzle_list(lang: &str) -> PyResult<Vec<(String, String)>> {
    let words = language(lang)?;
    let one = |found: &puzzles::Puzzle| {
        let line = found.line().ok_or_else(|| damaged(&found.id()))?;
        let form = json::line(&json::Puzzle::new(found, &*line));
        Ok((form, puzzle::task(words, found, &*line)))
    };
    puzzles::collection().iter().map(one).collect()
}

/// Tries moves at a puzzle; returns the JSON of `papan puzzles show ID MOVES`.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "PyO3 extracts a list by value"
)]
pub(crate) fn puzzle_attempt(id: &str, moves: Vec<String>) -> PyResult<String> {
    let found = puzzles::find(id).ok_or_else(|| {
        value_error(format!(
            "there is no puzzle {id}; papan.puzzles() lists them"
        ))
    })?;
    let line = found.line().ok_or_else(|| damaged(id))?;
    let game = line.game();
    let tried = moves.iter().map(|text| game.parse_move(text));
    let tried = tried.collect::<Result<Vec<_>, _>>().map_err(value_error)?;
    let attempt = Attempt::new(found, &tried).ok_or_else(|| damaged(id))?;
    Ok(json::line(&json::PuzzleAttempt::new(
        found, &*line, &attempt,
    )))
}
