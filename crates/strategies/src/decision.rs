//! A chosen move and the reasons for it.

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
    /// What the strategy thought of the move it plays.
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

/// What a strategy thinks of one move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// What it is worth, if the strategy puts it so.
    pub score: Option<Score>,
    /// How the strategy expects play to go on, this move first.
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
    /// What it is here.
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

/// What a [`Term`] can say.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub enum Value {
    /// A plain number.
    Number(i64),
    /// So many times infinity, plus a number.
    Infinite {
        /// How many times.
        times: u32,
        /// What comes on top.
        plus: i64,
    },
    /// A fraction.
    Real(f64),
    /// A rule by its key; the words belong to whoever shows it.
    Rule(&'static str),
    /// Text to show as it is, such as a row of a table.
    Text(String),
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
