//! `Program`: an engine in another process, with its name, its options and its reports about searches.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use papan_arena::{Entrant, EntrantKind};
use papan_catalog::{AnyGame, GuestTurn};
use papan_protocol::SeatedProgram;
use papan_strategies::{Context, SystemClock, Watch};
use pyo3::prelude::*;

use crate::errors::{runtime_error, value_error};
use crate::game::{Game, action_of};
use crate::player::{Question, question};
use crate::work;

/// A program that was started for a game.
struct Running {
    game: AnyGame,
    seated: SeatedProgram,
}

/// A program that speaks a protocol of engines, such as `ugi:./engine`.
#[pyclass(frozen, module = "papan")]
pub(crate) struct Program {
    program: papan_protocol::Program,
    running: Mutex<Option<Running>>,
}

/// Name and author, and the options with their types and defaults.
type Identity = (String, Option<String>, Vec<(String, String)>);

/// The number of the move, nodes, score in the units of the program, and its last line about the
/// search.
type Answer = (usize, Option<u64>, Option<i32>, String);

impl Program {
    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the running program out, or starts it. Meanwhile another thread starts its own.
    fn start(&self, game: &AnyGame) -> PyResult<Running> {
        let left = self.running().take();
        if let Some(running) = left.filter(|running| {
            running.game.name() == game.name() && running.seated.engine().is_some()
        }) {
            return Ok(running);
        }
        let seated = self.program.seated(game).map_err(runtime_error)?;
        let game = game.clone();
        Ok(Running { game, seated })
    }

    fn ask(&self, question: &Question, context: &Context) -> PyResult<Answer> {
        let game = &question.played.game;
        let line = question.played.line(game)?;
        if line.outcome().is_some() {
            return Err(value_error("the game is over"));
        }
        let mut running = self.start(game)?;
        let start = question.played.start_text();
        let is_usual = game.line().position_text() == start;
        let asked = running.seated.ask(&GuestTurn {
            start: (!is_usual).then_some(start),
            moves: line.moves(),
            position: &line.position_text(),
            context,
        });
        let info = running
            .seated
            .engine()
            .map(|engine| engine.info().to_owned());
        *self.running() = Some(running);
        let answer = asked.map_err(runtime_error)?;
        line.check_move(answer.mv).map_err(|why| {
            let shown = game.show_move(answer.mv);
            runtime_error(format!("illegal: it answers {shown}: {why}"))
        })?;
        let action = action_of(game.cells(), answer.mv);
        Ok((action, answer.nodes, answer.score, info.unwrap_or_default()))
    }
}

#[pymethods]
impl Program {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let Entrant {
            kind: EntrantKind::Engine(command),
            limits,
        } = text.parse().map_err(value_error)?
        else {
            return Err(value_error(format!("{text} is no program")));
        };
        Ok(Self {
            program: papan_protocol::Program::new(command, limits, text.trim().into()),
            running: Mutex::new(None),
        })
    }

    /// Starts the program for a game, unless it runs; returns its name, author and options.
    fn identity(&self, py: Python<'_>, game: &Game) -> PyResult<Identity> {
        let watch = Arc::new(Watch::default());
        // A program that has not answered after a few seconds has failed.
        work::run(py, &watch, Some(false), || {
            let running = self.start(&game.any)?;
            let engine = running.seated.engine();
            let engine = engine.ok_or_else(|| runtime_error("the program is not running"))?;
            let author = engine.author().map(str::to_owned);
            let said = (engine.name().to_owned(), author, engine.options().to_vec());
            *self.running() = Some(running);
            Ok(said)
        })?
    }

    /// Asks for a move; returns its number, nodes, score, and the last line about the search.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None, progress=None))]
    fn choose(
        &self,
        board: &Bound<'_, PyAny>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        progress: Option<bool>,
    ) -> PyResult<Answer> {
        let question = question(board, (time, nodes, depth), 0)?;
        let watch = Arc::new(Watch::default());
        let context = Context::default()
            .watched_by(&watch)
            .limited(question.limits, &SystemClock);
        work::run(board.py(), &watch, progress, || {
            self.ask(&question, &context)
        })?
    }

    /// Ends the process.
    fn close(&self, py: Python<'_>) {
        let left = self.running().take();
        py.detach(|| drop(left));
    }
}
