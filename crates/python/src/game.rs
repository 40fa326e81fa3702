//! `Game`: a game by name.

use papan_catalog::AnyGame;
use papan_rules::Move;
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::position::Position;

/// A game on a board, by name: `Game("othello")`, `Game("tictactoe:4x4")`, `Game("renju")`.
#[pyclass(frozen, module = "papan", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) any: AnyGame,
}

/// Returns the number of a move: its cell, or the number of cells for a pass.
pub(crate) fn action_of(cells: usize, mv: Move) -> usize {
    mv.cell().unwrap_or(cells)
}

/// Returns the move with a number.
pub(crate) fn move_of(cells: usize, action: usize) -> PyResult<Move> {
    match action {
        cell if cell < cells => Ok(Move::on(cell)),
        pass if pass == cells => Ok(Move::PASS),
        _ => Err(value_error(format!(
            "there is no action {action}: cells are 0 to {}, a pass is {cells}",
            cells - 1
        ))),
    }
}

/// Reads a move from an action number or from text.
pub(crate) fn read_move(game: &AnyGame, value: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(action) = value.extract::<usize>() {
        return move_of(game.cells(), action);
    }
    match value.extract::<&str>() {
        Ok(text) => game.parse_move(text).map_err(value_error),
        Err(_) => Err(pyo3::exceptions::PyTypeError::new_err(format!(
            "a move is an action number or text such as {:?}, not {}",
            game.show_move(Move::on(0)),
            value.get_type().name()?
        ))),
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let any = name.parse().map_err(value_error)?;
        Ok(Self { any })
    }

    /// The full name; `Game(game.name)` is the same game.
    #[getter]
    fn name(&self) -> String {
        self.any.name()
    }

    /// The name without the size.
    #[getter]
    fn family(&self) -> &'static str {
        self.any.family().name
    }

    /// The sides of the board, rows first.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.any.shape().sides().to_vec()
    }

    /// The number of cells.
    #[getter]
    fn cells(&self) -> usize {
        self.any.cells()
    }

    /// The number of actions: one per cell, and one for a pass in games that have it.
    #[getter]
    fn num_actions(&self) -> usize {
        self.any.cells() + usize::from(self.any.properties().passes)
    }

    /// The largest final score: 1, or the number of cells at Othello.
    #[getter]
    fn max_score(&self) -> i32 {
        self.any.best_score()
    }

    /// Returns the start position, or the one that a text describes.
    #[pyo3(signature = (text=None))]
    fn position(&self, text: Option<&str>) -> PyResult<Position> {
        Position::new(&self.any, text)
    }

    /// Returns a move as text, as files write it.
    fn action_to_text(&self, action: usize) -> PyResult<String> {
        let mv = move_of(self.any.cells(), action)?;
        Ok(self.any.format_move(mv))
    }

    /// Returns a move as the boards show it, such as `h8`.
    fn action_to_square(&self, action: usize) -> PyResult<String> {
        let mv = move_of(self.any.cells(), action)?;
        Ok(self.any.show_move(mv))
    }

    /// Returns the number of a move written as text.
    fn action_from_text(&self, text: &str) -> PyResult<usize> {
        let mv = self.any.parse_move(text).map_err(value_error)?;
        Ok(action_of(self.any.cells(), mv))
    }

    /// Returns the lines through a cell that win; empty in games without lines.
    fn lines_through(&self, cell: usize) -> PyResult<Vec<Vec<usize>>> {
        if cell >= self.any.cells() {
            return Err(value_error(format!("there is no cell {cell}")));
        }
        Ok(self.any.winning_lines_through(cell))
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.any.name())
    }

    fn __str__(&self) -> String {
        self.any.name()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.any.is(&other.any) || self.any.name() == other.any.name()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.any.name().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().into_any(), (slf.get().any.name(),)))
    }
}
