//! The steps of `papan trace --json`, one object per line.

use papan_catalog::trace::TracedRun;
use papan_solve::{Algorithm, Listing, TraceEvent};
use serde::Serialize;

use super::{MoveExplanation, moves};

/// A step of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Its number, from 1.
    pub step: usize,
    /// The line of the pseudo-code, from 1.
    pub code: u8,
    /// The moves from the traced position.
    pub path: Vec<String>,
    /// The position as text.
    pub position: String,
    /// Whether the player of the traced position is to move.
    pub maximising: bool,
    /// Plies that are left to search; absent without a depth limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Alpha; absent for minus infinity and without pruning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// Beta; absent for infinity and without pruning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    /// What happens: `enter`, `leaf`, `collapsed`, `better`, `not-better`, `cut`, `abandon`, `return`,
    /// `score`, `key`, `compare`, `no-reply`, `select`, `expand`, `simulate`, `playout` or `choose`.
    pub event: &'static str,
    /// The move that it is about.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The value or bound that is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// Whether the value is `exact`, `at-least` or `at-most`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// The moves that are cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<Vec<String>>,
    /// Positions visited in a collapsed part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The board and input that an automaton looks up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The first of the rows of the table that are compared with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Number of rows with the board of that row that are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The name of the row's board in the table, such as `Q3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The first character after the flag in which the rows differ, from 1; absent for an equal row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<usize>,
    /// Number of moves that a playout adds to the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<usize>,
    /// The random moves of a playout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Vec<String>>,
    /// The queue of live nodes of branch and bound, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Vec<String>>,
    /// Moves with the strategy's own numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<MoveExplanation>,
}

impl Step {
    /// Converts a step of a run.
    ///
    /// # Panics
    /// When there are fewer steps.
    #[must_use]
    pub fn new(run: &TracedRun, at: usize) -> Self {
        let (game, step) = (&run.line.game(), run.step(at));
        let window = step.window;
        let has_queue = run.algorithm == Algorithm::Scoring(Listing::BranchAndBound);
        let queue = || {
            let live = run.queue(at).into_iter();
            live.map(|node| game.format_move(node.mv)).collect()
        };
        let mut form = Self {
            step: at + 1,
            code: step.code,
            path: moves(game, &step.path),
            position: run.line_at(at).position_text(),
            maximising: step.maximising,
            depth: step.depth,
            alpha: window.and_then(|window| window.alpha()),
            beta: window.and_then(|window| window.beta()),
            event: "enter",
            mv: None,
            value: None,
            bound: None,
            left: None,
            nodes: None,
            key: None,
            row: None,
            rows: None,
            state: None,
            difference: None,
            added: None,
            simulated: None,
            queue: has_queue.then(queue),
            candidates: Vec::new(),
        };
        let explained = |candidate| MoveExplanation::new(game, candidate);
        match &step.event {
            TraceEvent::Enter => {}
            TraceEvent::Leaf { value } => {
                (form.event, form.value, form.bound) = ("leaf", Some(*value), Some("exact"));
            }
            TraceEvent::Collapsed {
                value,
                bound,
                nodes,
            } => {
                (form.event, form.value, form.nodes) = ("collapsed", Some(*value), Some(*nodes));
                form.bound = Some(super::bound_word(*bound));
            }
            TraceEvent::Better { mv, value, bound } => {
                form.bound = Some(super::bound_word(*bound));
                (form.event, form.value) = ("better", Some(*value));
                form.mv = Some(game.format_move(*mv));
            }
            TraceEvent::NotBetter {
                mv, value, bound, ..
            } => {
                form.bound = Some(super::bound_word(*bound));
                (form.event, form.value) = ("not-better", Some(*value));
                form.mv = Some(game.format_move(*mv));
            }
            TraceEvent::Cut { left } => {
                (form.event, form.left) = ("cut", Some(moves(game, left)));
            }
            TraceEvent::Abandon { left } => {
                (form.event, form.left) = ("abandon", Some(moves(game, left)));
            }
            TraceEvent::Return { value, bound } => {
                (form.event, form.value) = ("return", Some(*value));
                form.bound = Some(super::bound_word(*bound));
            }
            TraceEvent::Score { candidate, .. } => {
                form.event = "score";
                form.mv = Some(game.format_move(candidate.mv));
                form.candidates = vec![explained(candidate)];
            }
            TraceEvent::Key { key } => {
                (form.event, form.key) = ("key", Some(key.clone()));
            }
            TraceEvent::Compare {
                key,
                state,
                row,
                rows,
                difference,
            } => {
                form.event = "compare";
                (form.key, form.row) = (Some(key.clone()), Some(row.clone()));
                (form.rows, form.state) = (Some(*rows), state.clone());
                form.difference = *difference;
            }
            TraceEvent::NoReply { key } => {
                (form.event, form.key) = ("no-reply", Some(key.clone()));
            }
            TraceEvent::Select { .. } => form.event = "select",
            TraceEvent::Expand { moves: added, mv } => {
                (form.event, form.added) = ("expand", Some(*added));
                form.mv = Some(game.format_move(*mv));
            }
            TraceEvent::Simulate {
                moves: played,
                value,
            } => {
                (form.event, form.value) = ("simulate", Some(*value));
                form.simulated = Some(moves(game, played));
            }
            TraceEvent::Playout { mv, candidates, .. } => {
                form.event = "playout";
                form.mv = Some(game.format_move(*mv));
                form.candidates = candidates.iter().map(explained).collect();
            }
            TraceEvent::Choose { mv } => {
                form.event = "choose";
                form.mv = Some(game.format_move(*mv));
            }
        }
        form
    }
}
