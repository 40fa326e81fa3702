//! Output of `papan explain`.

use std::collections::BTreeMap;

use papan_catalog::{AnyGame, AnyLine, StrategySpec};
use papan_strategies as strategies;
use serde::Serialize;

use super::{Score, TermValue, moves};
use crate::{Messages, explain};

/// An explained decision.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// The position as text.
    pub position: String,
    /// The side to move: `first` or `second`.
    pub turn: String,
    /// The move it plays.
    pub best: String,
    /// The best of the others.
    pub runner_up: Option<String>,
    /// The reason, as a sentence.
    pub why: String,
    /// Nodes searched.
    pub nodes: u64,
    /// All moves considered.
    pub candidates: Vec<MoveExplanation>,
}

/// A candidate move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveExplanation {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The terms of the strategy's evaluation, by name.
    pub terms: BTreeMap<&'static str, TermValue>,
    /// Its score.
    #[serde(flatten)]
    pub score: Score,
    /// Principal variation, starting with this move.
    pub line: Vec<String>,
}

impl MoveExplanation {
    /// Converts a candidate.
    #[must_use]
    pub fn new(game: &AnyGame, candidate: &strategies::Candidate) -> Self {
        let terms = candidate.terms.iter();
        Self {
            mv: game.format_move(candidate.mv),
            terms: terms
                .map(|term| (term.name, (&term.value).into()))
                .collect(),
            score: candidate.score.into(),
            line: moves(game, &candidate.pv),
        }
    }
}

impl Explanation {
    /// Creates the output from a decision.
    #[must_use]
    pub fn new(
        line: &dyn AnyLine,
        strategy: &StrategySpec,
        decision: &strategies::Decision,
        messages: Messages,
    ) -> Self {
        let game = line.game();
        let candidate = |candidate| MoveExplanation::new(&game, candidate);
        Self {
            game: game.name(),
            strategy: strategy.to_string(),
            position: line.position_text(),
            turn: line.turn().to_string(),
            best: game.format_move(decision.best),
            runner_up: explain::runner_up(decision).map(|c| game.format_move(c.mv)),
            why: explain::why(line, decision, messages),
            nodes: decision.nodes,
            candidates: decision.candidates.iter().map(candidate).collect(),
        }
    }
}
