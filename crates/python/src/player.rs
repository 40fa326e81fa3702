//! `Player`: a strategy that chooses and explains moves; reviews of games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use papan_catalog::review::{ReviewTime, Reviewer};
use papan_catalog::{AnyGame, STRATEGIES, Seat, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Context, Limits, SystemClock, Watch};
use papan_view::review::GameReview;
use papan_view::{Language, Messages, json, messages};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::board::PlayedLine;
use crate::errors::{runtime_error, value_error};
use crate::game::action_of;
use crate::guest::{ReadStrategy, read_strategy};
use crate::work;

/// The names of the strategies.
#[pyfunction]
pub(crate) fn players() -> Vec<&'static str> {
    STRATEGIES.iter().map(|info| info.name).collect()
}

/// A strategy seated at a game.
struct Seated {
    game: AnyGame,
    limits: Limits,
    seat: Box<dyn Seat>,
}

/// A strategy as a player: `Player("greedy")`, `Player("engine(depth=12)")`, or a Python object.
#[pyclass(frozen, module = "papan")]
pub(crate) struct Player {
    strategy: ReadStrategy,
    /// The seat of the last game, whose tables the next move reuses.
    seated: Mutex<Option<Seated>>,
}

/// Reads a time in seconds.
pub(crate) fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    time.map(|seconds| Duration::try_from_secs_f64(seconds).map_err(value_error))
        .transpose()
}

pub(crate) fn language(name: &str) -> PyResult<Messages> {
    match name {
        "en" => Ok(Messages::new(Language::English)),
        "id" => Ok(Messages::new(Language::Indonesian)),
        _ => Err(value_error(format!(
            "lang is \"en\" or \"id\", not {name:?}"
        ))),
    }
}

/// The settings of one decision.
pub(crate) struct Question {
    pub(crate) played: PlayedLine,
    pub(crate) limits: Limits,
    seed: u64,
}

impl Player {
    /// Returns the strategy, for proofs and tournaments.
    pub(crate) fn strategy(&self) -> &ReadStrategy {
        &self.strategy
    }

    fn seat(&self) -> MutexGuard<'_, Option<Seated>> {
        self.seated.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `decide` with a seat, a line and a context.
    fn decide<T: Send>(
        &self,
        py: Python<'_>,
        question: &Question,
        progress: Option<bool>,
        decide: impl FnOnce(
            &mut dyn Seat,
            &dyn papan_catalog::AnyLine,
            &Context,
        ) -> Result<T, papan_strategies::NoMove>
        + Send,
    ) -> PyResult<T> {
        let watch = Arc::new(Watch::default());
        let words = Messages::new(Language::English);
        let context = Context::with_seed(question.seed)
            .watched_by(&watch)
            .limited(question.limits, &SystemClock);
        let decide = || -> PyResult<T> {
            // The seat is taken out meanwhile: Python code may ask the same player, on this thread
            // or on another one that waits for the lock while it holds the interpreter's.
            let left = self.seat().take();
            let reusable = left.filter(|seated| {
                // A program gets its limits with each question.
                (seated.limits == question.limits || self.strategy.spec.as_guest().is_some())
                    && seated.game.name() == question.played.game.name()
            });
            let mut current = match reusable {
                Some(current) => current,
                None => {
                    let game = question.played.game.clone();
                    let seat = game
                        .seat(&self.strategy.spec, &question.limits)
                        .map_err(|error| value_error(messages::unplayable(words, &error)))?;
                    let limits = question.limits;
                    Seated { game, limits, seat }
                }
            };
            let line = question.played.line(&current.game)?;
            let decided = decide(&mut *current.seat, &*line, &context)
                .map_err(|error| runtime_error(messages::no_move(words, &error)));
            *self.seat() = Some(current);
            decided
        };
        // A thread of its own costs more than a formula, and Python code needs this one.
        let decided = if self.strategy.is_python || is_quick(&self.strategy.spec) {
            decide()
        } else {
            work::run(py, &watch, progress, decide)?
        };
        decided.map_err(|error| self.strategy.raised.take().unwrap_or(error))
    }
}

impl Player {
    /// Returns the chosen move and the number of nodes searched.
    fn choice(
        &self,
        py: Python<'_>,
        question: &Question,
        progress: Option<bool>,
    ) -> PyResult<(Move, u64)> {
        self.decide(py, question, progress, |seat, line, context| {
            seat.choose(line, context)
        })
    }
}

/// Returns whether a strategy answers at once, so that it need not be interruptible.
fn is_quick(spec: &StrategySpec) -> bool {
    let name = spec.as_guest().is_none().then(|| spec.info().name);
    matches!(
        name,
        Some("automaton" | "branch-and-bound" | "expert" | "greedy" | "greedy-points" | "random")
    )
}

pub(crate) fn question(
    board: &Bound<'_, PyAny>,
    (time, nodes, depth): (Option<f64>, Option<u64>, Option<u32>),
    seed: u64,
) -> PyResult<Question> {
    Ok(Question {
        played: PlayedLine::read(board)?,
        limits: Limits {
            depth,
            nodes,
            time: seconds(time)?,
            ..Limits::default()
        },
        seed,
    })
}

#[pymethods]
impl Player {
    #[new]
    fn new(strategy: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            strategy: read_strategy(strategy)?,
            seated: Mutex::new(None),
        })
    }

    /// The name with its parameters.
    #[getter]
    fn name(&self) -> String {
        self.strategy.spec.to_string()
    }

    /// Returns the number of the move that the strategy chooses.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None, seed=0, progress=None))]
    fn choose_action(
        &self,
        board: &Bound<'_, PyAny>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        seed: u64,
        progress: Option<bool>,
    ) -> PyResult<usize> {
        let question = question(board, (time, nodes, depth), seed)?;
        let (mv, _) = self.choice(board.py(), &question, progress)?;
        Ok(action_of(question.played.game.cells(), mv))
    }

    /// Returns the move that the strategy chooses, as text.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None, seed=0, progress=None))]
    fn choose(
        &self,
        board: &Bound<'_, PyAny>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        seed: u64,
        progress: Option<bool>,
    ) -> PyResult<String> {
        let question = question(board, (time, nodes, depth), seed)?;
        let (mv, _) = self.choice(board.py(), &question, progress)?;
        Ok(question.played.game.format_move(mv))
    }

    /// Ends the process of an external program, and frees the tables of an engine.
    fn close(&self, py: Python<'_>) {
        let left = self.seat().take();
        // A program may take a while to end.
        py.detach(|| drop(left));
    }

    /// Returns the explanation of a choice, as the JSON of `papan explain`.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None, seed=0, lang="en", progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments are many")]
    fn explain_json(
        &self,
        board: &Bound<'_, PyAny>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        seed: u64,
        lang: &str,
        progress: Option<bool>,
    ) -> PyResult<String> {
        let words = language(lang)?;
        let question = question(board, (time, nodes, depth), seed)?;
        self.decide(board.py(), &question, progress, |seat, line, context| {
            let decision = seat.decide(line, context)?;
            let form = json::Explanation::new(line, &self.strategy.spec, &decision, words);
            Ok(json::line(&form))
        })
    }

    fn __repr__(&self) -> String {
        format!("Player({:?})", self.strategy.spec.to_string())
    }

    /// Returns the player itself: its choices do not depend on those before.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let player = slf.get();
        if player.strategy.is_python {
            return Err(PyTypeError::new_err(format!(
                "{} is a Python object in a Player; pickle the object itself",
                player.name()
            )));
        }
        Ok((slf.get_type().into_any(), (player.name(),)))
    }
}

/// Reviews the game of a `Board`, as the JSON of `papan review`.
#[pyfunction]
#[pyo3(signature = (board, *, strategy=None, time=7.0, threads=1, progress=None))]
pub(crate) fn review(
    board: &Bound<'_, PyAny>,
    strategy: Option<&str>,
    time: f64,
    threads: usize,
    progress: Option<bool>,
) -> PyResult<String> {
    let played = PlayedLine::read(board)?;
    let spec: Option<StrategySpec> = strategy.map(str::parse).transpose().map_err(value_error)?;
    let time = ReviewTime::Whole(Duration::try_from_secs_f64(time).map_err(value_error)?);
    let watch = Arc::new(Watch::default());
    work::run(board.py(), &watch, progress, || {
        let line = played.line(&played.game)?;
        let mut reviewer =
            Reviewer::new(&played.game, spec.as_ref(), threads.max(1)).map_err(value_error)?;
        let insights = reviewer
            .review(&*line, time, &watch, &SystemClock)
            .map_err(runtime_error)?;
        let review = GameReview::new(&*line, reviewer.strategy().to_string(), &insights);
        Ok(json::line(&json::Review::new(&review)))
    })?
}
