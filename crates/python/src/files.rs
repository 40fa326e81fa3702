//! Game files of every supported format.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use papan_catalog::AnyGame;
use papan_files::{Format, Parsed};
use papan_rules::Record;
use papan_strategies::{StepKind, Watch};
use pyo3::prelude::*;

use crate::board::PlayedLine;
use crate::details::Details;
use crate::errors::{runtime_error, value_error};
use crate::game::{Game, action_of};
use crate::position::Position;
use crate::work;

/// A game of a file: its start, the numbers of its moves, the players, and its details as JSON, if
/// there are any.
type LoadedGame = (Position, Vec<usize>, [String; 2], Option<String>);

/// How many boards are read between checks for Ctrl-C.
const BOARDS_BETWEEN_CHECKS: usize = 256;

/// Reads the games of a file and the errors of those that cannot be read.
#[pyfunction]
#[pyo3(signature = (data, *, game=None, progress=None))]
pub(crate) fn load(
    py: Python<'_>,
    data: &[u8],
    game: Option<&Game>,
    progress: Option<bool>,
) -> PyResult<(Vec<LoadedGame>, Vec<String>)> {
    let watch = Arc::new(Watch::default());
    let game = game.map(|game| &game.any);
    work::run(py, &watch, progress, || load_all(data, game, &watch))?
}

fn load_all(
    data: &[u8],
    game: Option<&AnyGame>,
    watch: &Watch,
) -> PyResult<(Vec<LoadedGame>, Vec<String>)> {
    let (mut loaded, mut faults) = (Vec::new(), Vec::new());
    // How many there are is known at the end.
    watch.begin_step(0, StepKind::Games, 0);
    let (_, games) = papan_files::games(data, game).map_err(value_error)?;
    for parsed in games.take_while(|_: &Parsed| watch.check_stop().is_ok()) {
        match parsed {
            Ok(record) => loaded.push(loaded_game(record)?),
            Err(fault) => faults.push(fault.to_string()),
        }
        watch.advance(1, 0);
    }
    Ok((loaded, faults))
}

fn loaded_game(record: Record) -> PyResult<LoadedGame> {
    let game: AnyGame = record.game.parse().map_err(value_error)?;
    let line = game.line_of(&record).map_err(runtime_error)?;
    let cells = game.cells();
    let actions = line
        .moves()
        .iter()
        .map(|&mv| action_of(cells, mv))
        .collect();
    let start = Position::new(&game, record.start.as_deref())?;
    let players = record.players.clone();
    Ok((start, actions, players, Details::of(record).json()))
}

/// Formats games as a file.
#[pyfunction]
#[pyo3(signature = (boards, format, *, progress=None))]
#[allow(clippy::needless_pass_by_value)] // PyO3 extracts a list by value.
pub(crate) fn save(
    py: Python<'_>,
    boards: Vec<Bound<'_, PyAny>>,
    format: &str,
    progress: Option<bool>,
) -> PyResult<String> {
    let format: Format = format.parse().map_err(value_error)?;
    let mut played = Vec::with_capacity(boards.len());
    for (at, board) in boards.iter().enumerate() {
        if at % BOARDS_BETWEEN_CHECKS == 0 {
            py.check_signals()?;
        }
        let players = match board.getattr_opt("players")? {
            Some(players) => players.extract::<[String; 2]>()?,
            None => Default::default(),
        };
        let details = match board.getattr_opt("details")? {
            Some(details) if details.is_truthy()? => Details::read(&details)?,
            _ => Details::default(),
        };
        played.push((PlayedLine::read(board)?, players, details));
    }
    let watch = Arc::new(Watch::default());
    work::run(py, &watch, progress, || save_all(played, format, &watch))?
}

fn save_all(
    played: Vec<(PlayedLine, [String; 2], Details)>,
    format: Format,
    watch: &Watch,
) -> PyResult<String> {
    watch.begin_step(0, StepKind::Games, played.len() as u64);
    let mut failed = None;
    let records = played.into_iter().map_while(|(played, players, details)| {
        let line = played.line(&played.game);
        line.and_then(|line| details.add_to(line.record(players), line.moves().len()))
            .map_err(|error| failed = Some(error))
            .ok()
    });
    let mut file = String::new();
    for text in papan_files::write_each(records, format) {
        file += &text.map_err(value_error)?;
        watch.advance(1, 0);
        if watch.check_stop().is_err() {
            break;
        }
    }
    failed.map_or(Ok(file), Err)
}

/// Writes a file. A regular one is replaced atomically and keeps its mode and its links.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // PyO3 extracts a path by value.
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, text: &str) -> PyResult<()> {
    let written = py.detach(|| papan_files::write_atomic(&path, text.as_bytes()));
    written.map_err(|error| {
        let what = format!("{}: {error}", path.display());
        io::Error::new(error.kind(), what).into()
    })
}
