//! A chosen move with its reasons.

use papan_catalog::AnyGame;
use papan_strategies as strategies;
use papan_strategies::Value;
use serde::Serialize;

use super::{Score, moves};

/// A chosen move, with what the strategy thinks of every other.
#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// The move it plays.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many nodes it looked at.
    pub nodes: u64,
    /// Every move it considered.
    pub candidates: Vec<Candidate>,
}

/// What a strategy thinks of one move.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    #[serde(flatten)]
    pub score: Score,
    /// How the strategy expects play to go on, this move first.
    pub pv: Vec<String>,
    /// The numbers of its own reasoning.
    pub terms: Vec<Term>,
}

/// One named number of a strategy's own reasoning.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// Its name.
    pub name: String,
    /// What it is here.
    pub value: TermValue,
    /// Whether moves are compared by it.
    pub decides: bool,
}

impl Decision {
    /// A decision about a position of `game`.
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

/// What a term of a strategy's reasoning says.
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
    /// So many times infinity, plus a number.
    Infinite {
        /// How many times.
        infinite: u32,
        /// What comes on top.
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
