//! A decision: the chosen move with the strategy's numbers.

use papan_catalog::AnyGame;
use papan_strategies as strategies;
use papan_strategies::Value;
use serde::Serialize;

use super::{Score, moves};

/// A chosen move with all candidates.
#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// The move it plays.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nodes searched.
    pub nodes: u64,
    /// All moves considered.
    pub candidates: Vec<Candidate>,
}

/// A candidate move.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score.
    #[serde(flatten)]
    pub score: Score,
    /// Principal variation, starting with this move.
    pub pv: Vec<String>,
    /// The terms of the strategy's own evaluation.
    pub terms: Vec<Term>,
}

/// A named term of a strategy's evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: TermValue,
    /// Whether moves are compared by it.
    pub decides: bool,
}

impl Decision {
    /// Converts a decision.
    #[must_use]
    pub fn new(game: &AnyGame, decision: &strategies::Decision) -> Self {
        let candidate = |candidate: &strategies::Candidate| Candidate {
            mv: game.format_move(candidate.mv),
            score: candidate.score.into(),
            pv: moves(game, &candidate.pv),
            terms: candidate.terms.iter().map(Term::from).collect(),
        };
        Self {
            mv: game.format_move(decision.best),
            nodes: decision.nodes,
            candidates: decision.candidates.iter().map(candidate).collect(),
        }
    }
}

impl From<&strategies::Term> for Term {
    fn from(term: &strategies::Term) -> Self {
        Self {
            name: term.name.to_owned(),
            value: (&term.value).into(),
            decides: term.decides,
        }
    }
}

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TermValue {
    /// A plain number.
    Number(i64),
    /// An upper bound.
    AtMost {
        /// The number that the value is not larger than.
        at_most: i64,
    },
    /// A multiple of infinity plus a number.
    Infinite {
        /// The multiple.
        infinite: u32,
        /// The finite part.
        plus: i64,
    },
    /// A fraction.
    Real(f64),
    /// A rule by its key, or text.
    Text(String),
}

impl From<&Value> for TermValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(*number),
            Value::AtMost(number) => Self::AtMost { at_most: *number },
            Value::Infinite { times, plus } => Self::Infinite {
                infinite: *times,
                plus: *plus,
            },
            Value::Real(real) => Self::Real(*real),
            Value::Rule(rule) => Self::Text((*rule).to_owned()),
            Value::Text(text) => Self::Text(text.clone()),
        }
    }
}
