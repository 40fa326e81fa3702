//! What programs read: the forms that every JSON output shares.
//!
//! They are described in `docs/json.md`.

mod decision;
mod score;

pub use decision::{Candidate, Decision, Term};
pub use score::{Bound, Score, Unit};

use papan_strategies::Value;
use serde::Serialize;

/// What a term of a strategy's reasoning says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TermValue {
    /// A plain number.
    Number(i64),
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
