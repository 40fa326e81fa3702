//! Game files of every supported format.

use papan_catalog::AnyGame;
use papan_files::{Collection, Format};
use papan_rules::Record;
use pyo3::prelude::*;

use crate::board::PlayedLine;
use crate::errors::{runtime_error, value_error};
use crate::game::{Game, action_of};
use crate::position::Position;

/// A game of a file: its start, the numbers of its moves, and the players.
type LoadedGame = (Position, Vec<usize>, [String; 2]);

/// Reads the games of a file and the errors of those that cannot be read.
#[pyfunction]
#[pyo3(signature = (data, *, game=None))]
pub(crate) fn load(data: &[u8], game: Option<&Game>) -> PyResult<(Vec<LoadedGame>, Vec<String>)> {
    let Collection {
        records, faults, ..
    } = papan_files::read(data, game.map(|game| &game.any)).map_err(value_error)?;
    let games = records.iter().map(loaded).collect::<PyResult<_>>()?;
    let faults = faults.iter().map(ToString::to_string).collect();
    Ok((games, faults))
}

fn loaded(record: &Record) -> PyResult<LoadedGame> {
    let game: AnyGame = record.game.parse().map_err(value_error)?;
    let line = game.line_of(record).map_err(runtime_error)?;
    let cells = game.cells();
    let actions = line
        .moves()
        .iter()
        .map(|&mv| action_of(cells, mv))
        .collect();
    let start = Position::new(&game, record.start.as_deref())?;
    Ok((start, actions, record.players.clone()))
}

/// Formats games as a file.
#[pyfunction]
#[pyo3(signature = (boards, format))]
#[allow(clippy::needless_pass_by_value)] // PyO3 extracts a list by value.
pub(crate) fn save(boards: Vec<Bound<'_, PyAny>>, format: &str) -> PyResult<String> {
    let format: Format = format.parse().map_err(value_error)?;
    let records = boards
        .iter()
        .map(|board| {
            let played = PlayedLine::read(board)?;
            let players = match board.getattr("players") {
                Ok(players) => players.extract::<[String; 2]>()?,
                Err(_) => Default::default(),
            };
            Ok(played.line(&played.game)?.record(players))
        })
        .collect::<PyResult<Vec<Record>>>()?;
    papan_files::write(&records, format).map_err(value_error)
}
