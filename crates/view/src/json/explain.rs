//! What `papan explain` says.

use std::collections::BTreeMap;

use papan_catalog::{AnyLine, StrategySpec};
use papan_strategies as strategies;
use serde::Serialize;

use super::{Score, TermValue, moves};
use crate::{Messages, explain};

/// A decision with its reasons.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// The position as text.
    pub position: String,
    /// Whose turn it is: `first` or `second`.
    pub turn: String,
    /// The move it plays.
    pub best: String,
    /// The best of the others.
    pub runner_up: Option<String>,
    /// Why, in a sentence.
    pub why: String,
    /// How many nodes it looked at.
    pub nodes: u64,
    /// Every move it considered.
    pub candidates: Vec<MoveExplanation>,
}

/// What a strategy thinks of one move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveExplanation {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The numbers of its own reasoning, by their names.
    pub terms: BTreeMap<&'static str, TermValue>,
    /// What it is worth.
    #[serde(flatten)]
    pub score: Score,
    /// How the strategy expects play to go on, this move first.
    pub line: Vec<String>,
}

impl Explanation {
    /// What a strategy says of a position.
    #[must_use]
    pub fn new(
        line: &dyn AnyLine,
        strategy: &StrategySpec,
        decision: &strategies::Decision,
        words: Messages,
    ) -> Self {
        let game = line.game();
        let candidate = |candidate: &strategies::Candidate| MoveExplanation {
            mv: game.format_move(candidate.mv),
            terms: candidate
                .terms
                .iter()
                .map(|term| (term.name, (&term.value).into()))
                .collect(),
            score: candidate.score.into(),
            line: moves(&game, &candidate.pv),
        };
        Self {
            game: game.name(),
            strategy: strategy.to_string(),
            position: line.position_text(),
            turn: line.turn().to_string(),
            best: game.format_move(decision.best),
            runner_up: explain::runner_up(decision).map(|c| game.format_move(c.mv)),
            why: explain::why(&game, decision, words),
            nodes: decision.nodes,
            candidates: decision.candidates.iter().map(candidate).collect(),
        }
    }
}
