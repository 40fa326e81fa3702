//! The steps of `papan trace --json`, one object per line.

use papan_catalog::AnyGame;
use papan_solve::{TraceEvent, TraceStep};
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
    /// What happens: `enter`, `leaf`, `collapsed`, `better`, `not-better`, `cut`, `return`, `score`,
    /// `playout` or `choose`.
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
    /// Moves with the strategy's own numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<MoveExplanation>,
}

impl Step {
    /// Converts a step; `position` is the position at the end of its path.
    #[must_use]
    pub fn new(game: &AnyGame, number: usize, step: &TraceStep, position: String) -> Self {
        let window = step.window;
        let mut form = Self {
            step: number,
            code: step.code,
            path: moves(game, &step.path),
            position,
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
            TraceEvent::Return { value, bound } => {
                (form.event, form.value) = ("return", Some(*value));
                form.bound = Some(super::bound_word(*bound));
            }
            TraceEvent::Score { candidate, .. } => {
                form.event = "score";
                form.mv = Some(game.format_move(candidate.mv));
                form.candidates = vec![explained(candidate)];
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
