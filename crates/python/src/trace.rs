//! Step-by-step runs and search trees of strategies, and finite automata, with their pictures.

use std::sync::Arc;

use papan_catalog::StrategySpec;
use papan_catalog::trace::{TraceRequest, TracedRun};
use papan_catalog::tree::TreeRequest;
use papan_solve::TreeNode;
use papan_solve::automaton::{MealyMachine, Side, inspect};
use papan_strategies::{TransitionTable, Watch};
use papan_view::tree_drawing::{self, TreeKind, TreeStyle};
use papan_view::{
    Marks, Messages, automaton_check, automaton_graph, json, messages, trace_frame, tree_text,
};
use pyo3::prelude::*;

use crate::board::PlayedLine;
use crate::errors::value_error;
use crate::guest::read_strategy;
use crate::player::language;
use crate::work;

/// Maximum number of traced playouts: each keeps the numbers of all moves.
const MAX_PLAYOUTS: u64 = 500;

/// A traced run of a strategy.
#[pyclass(frozen, module = "papan")]
pub struct TracedSteps {
    run: TracedRun,
    strategy: String,
    messages: Messages,
}

#[pymethods]
impl TracedSteps {
    fn __len__(&self) -> usize {
        self.run.trace.steps.len()
    }

    /// Returns a step as the JSON of `papan trace`.
    fn step_json(&self, at: usize) -> PyResult<String> {
        self.step(at)?;
        Ok(json::line(&json::Step::new(&self.run, at)))
    }

    /// Draws a step: board, pseudo-code, numbers and tree.
    fn frame_svg(&self, at: usize) -> PyResult<String> {
        self.step(at)?;
        Ok(trace_frame::draw(&self.run, at, &self.strategy, self.messages).svg())
    }
}

impl TracedSteps {
    fn step(&self, at: usize) -> PyResult<&papan_solve::TraceStep> {
        let steps = &self.run.trace.steps;
        steps.get(at).ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!(
                "there is no step {at}; the run has {}",
                steps.len()
            ))
        })
    }
}

/// Runs a strategy step by step.
#[pyfunction]
#[pyo3(signature = (board, strategy, *, shown, limit, seed, lang, progress=None))]
pub(crate) fn trace(
    board: &Bound<'_, PyAny>,
    strategy: &Bound<'_, PyAny>,
    shown: u32,
    limit: usize,
    seed: u64,
    lang: &str,
    progress: Option<bool>,
) -> PyResult<TracedSteps> {
    let messages = language(lang)?;
    let played = PlayedLine::read(board)?;
    let request = TraceRequest {
        strategy: own_strategy(strategy)?,
        shown,
        steps: limit,
        nodes: u64::MAX,
        playouts: MAX_PLAYOUTS,
        seed,
    };
    let watch = Arc::new(Watch::default());
    let run = work::run(board.py(), &watch, progress, || {
        let line = played.line(&played.game)?;
        papan_catalog::trace::trace_until(&*line, &request, &watch.stop)
            .map_err(|error| value_error(messages::trace(messages, &error)))
    })??;
    Ok(TracedSteps {
        run,
        strategy: request.strategy.to_string(),
        messages,
    })
}

/// Reads a strategy of papan: a program and a Python object have no steps to show.
fn own_strategy(strategy: &Bound<'_, PyAny>) -> PyResult<StrategySpec> {
    let read = read_strategy(strategy)?;
    if read.spec.as_guest().is_some() {
        return Err(value_error(format!(
            "only strategies of papan have steps and trees to show, not {}",
            read.spec
        )));
    }
    Ok(read.spec)
}

/// Returns the search tree of a strategy as JSON, text and SVG.
#[pyfunction]
#[pyo3(signature = (board, strategy, *, depth, merge, lang, progress=None))]
pub(crate) fn tree(
    board: &Bound<'_, PyAny>,
    strategy: &Bound<'_, PyAny>,
    depth: u32,
    merge: bool,
    lang: &str,
    progress: Option<bool>,
) -> PyResult<(String, String, String)> {
    let messages = language(lang)?;
    let played = PlayedLine::read(board)?;
    let request = TreeRequest {
        strategy: own_strategy(strategy)?,
        shown: depth,
        merge,
    };
    let watch = Arc::new(Watch::default());
    work::run(board.py(), &watch, progress, || {
        let line = played.line(&played.game)?;
        let root: TreeNode = papan_catalog::tree::tree_until(&*line, &request, &watch.stop)
            .map_err(|error| value_error(messages::tree(messages, &error)))?;
        let game = &played.game;
        let strategy = request.strategy.to_string();
        let title = format!("{}: {strategy}, {}", game.name(), line.position_text());
        let style = TreeStyle {
            game,
            marks: Marks::XO,
            title: &title,
            kind: TreeKind::of(&strategy),
            current: None,
            link: None,
        };
        Ok((
            json::line(&json::Tree::new(game, &root)),
            tree_text::draw(game, &root, messages, false),
            tree_drawing::draw(&root, &style, messages).svg(),
        ))
    })?
}

/// Checks a transition table of document 000; returns the JSON of `papan automaton check`, the
/// findings as sentences, and the picture of its state graph if it has a start.
#[pyfunction]
#[pyo3(signature = (table, *, name, lang))]
pub(crate) fn automaton(
    table: &str,
    name: &str,
    lang: &str,
) -> PyResult<(String, Vec<String>, Option<String>)> {
    let messages = language(lang)?;
    let table = TransitionTable::parse(table)
        .map_err(|cause| value_error(format!("{name}: {}", messages::table(messages, &cause))))?;
    let inspection = inspect(&table);
    let form = automaton_check::form(name.into(), &table, &inspection);
    let sentences = automaton_check::sentences(&table, &inspection, messages);
    let side = Side::of(&table).first().copied();
    let machine = side.and_then(|side| MealyMachine::of(&table, side));
    let picture = machine.map(|machine| automaton_graph::draw(&machine, name, messages).svg());
    Ok((json::line(&form), sentences, picture))
}
