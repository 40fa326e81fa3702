//! Decisions: a chosen move with its reasons.

use std::cmp::Ordering;

use papan_rules::Move;

use crate::Score;

/// A chosen move, with everything the strategy knows about the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move it plays.
    pub best: Move,
    /// Every move it considered, first to last.
    pub candidates: Vec<Candidate>,
    /// How many nodes it looked at.
    pub nodes: u64,
}

impl Decision {
    /// Returns the candidate of the chosen move.
    #[must_use]
    pub fn chosen(&self) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.mv == self.best)
    }

    /// The candidates that have a score: the move it plays first, then the best.
    #[must_use]
    pub fn ranked(&self) -> Vec<(&Candidate, Score)> {
        let scored = self.candidates.iter().filter_map(|c| Some((c, c.score?)));
        let mut ranked: Vec<_> = scored.collect();
        ranked.sort_by(|(a, of_a), (b, of_b)| {
            let chosen = (b.mv == self.best).cmp(&(a.mv == self.best));
            chosen.then(of_b.balance().total_cmp(&of_a.balance()))
        });
        ranked
    }
}

/// A strategy's assessment of one move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The score, if the strategy gives one.
    pub score: Option<Score>,
    /// The principal variation, starting with this move.
    pub pv: Vec<Move>,
    /// The numbers of the strategy's own reasoning, in the order in which they
    /// decide.
    pub terms: Vec<Term>,
}

impl Candidate {
    /// A move with its terms.
    #[must_use]
    pub fn new(mv: Move, terms: Vec<Term>) -> Self {
        Self {
            mv,
            score: None,
            pv: vec![mv],
            terms,
        }
    }
}

/// One named number of a strategy's own reasoning.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its name, as the document has it: `cd`, `ca`, `p`, `l`.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
    /// Whether the strategy compares moves by it (the largest wins); terms that
    /// only show how another came about do not decide.
    pub decides: bool,
}

impl Term {
    /// A number by which moves are compared.
    #[must_use]
    pub fn deciding(name: &'static str, value: impl Into<Value>) -> Self {
        Self {
            name,
            value: value.into(),
            decides: true,
        }
    }

    /// A number that only explains another.
    #[must_use]
    pub fn shown(name: &'static str, value: impl Into<Value>) -> Self {
        Self {
            name,
            value: value.into(),
            decides: false,
        }
    }
}

/// Value of a [`Term`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A plain number.
    Number(i64),
    /// An upper bound: the search stopped as soon as it knew that the number is not larger.
    AtMost(i64),
    /// A multiple of infinity, plus a number.
    Infinite {
        /// How many times.
        times: u32,
        /// The finite part.
        plus: i64,
    },
    /// A fraction.
    Real(f64),
    /// A rule by its key; views translate it.
    Rule(&'static str),
    /// Text to show as it is, such as a row of a table.
    Text(String),
}

impl Value {
    /// Compares two values; `None` if unknown, because an upper bound may exceed the true value.
    /// (Not `PartialOrd`: two equal bounds are not equal values.)
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(a.cmp(b)),
            (Self::AtMost(a), Self::Number(b)) => (a < b).then_some(Ordering::Less),
            (Self::Number(a), Self::AtMost(b)) => (a > b).then_some(Ordering::Greater),
            (Self::Number(_) | Self::AtMost(_), Self::Infinite { .. }) => Some(Ordering::Less),
            (Self::Infinite { .. }, Self::Number(_) | Self::AtMost(_)) => Some(Ordering::Greater),
            (
                Self::Infinite { times, plus },
                Self::Infinite {
                    times: other_times,
                    plus: other_plus,
                },
            ) => Some((times, plus).cmp(&(other_times, other_plus))),
            (Self::Real(a), Self::Real(b)) => a.partial_cmp(b),
            (Self::Rule(a), Self::Rule(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upper_bound_compares_only_where_the_order_is_certain() {
        let (number, bound) = (Value::Number, Value::AtMost);
        assert_eq!(bound(0).compare(&number(1)), Some(Ordering::Less));
        assert_eq!(number(1).compare(&bound(0)), Some(Ordering::Greater));
        assert_eq!(bound(1).compare(&number(1)), None);
        assert_eq!(bound(1).compare(&number(0)), None);
        assert_eq!(bound(1).compare(&bound(1)), None);
        assert_ne!(bound(1), number(1));
    }
}
