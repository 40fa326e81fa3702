//! What programs read: the JSON that every command prints, as types.
//!
//! `docs/json.md` describes them, `docs/json.schema.json` exactly; a test holds what
//! the commands print against the schema.

mod automaton;
mod bench;
mod census;
mod decision;
mod engine_check;
mod explain;
mod list;
mod missed_wins;
mod proof;
mod score;
mod solved;

pub use automaton::{Finding, Minimized, Problem, Size, TableCheck, TableVerdict, Transition};
pub use bench::{
    Bench, EndgameBench, Mismatch, PerftBench, Problem as BenchProblem, StrategyBench,
};
pub use census::{Census, Results, UpToSymmetry};
pub use decision::{Candidate, Decision, Term, TermValue};
pub use engine_check::{EngineCheck, Trial};
pub use explain::{Explained, ExplainedMove};
pub use list::{Family, List, Parameter, Recipe, Takes};
pub use missed_wins::MissedWins;
pub use proof::{CertificateCheck, Proof, replay};
pub use score::{Bound, Score, Unit};
pub use solved::Solved;

use papan_catalog::AnyGame;
use papan_rules::Move;
use serde::{Serialize, Serializer};

/// The version of everything that papan prints as JSON: it grows when a key goes or
/// changes its meaning, and not when one is added.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a, T> {
    papan: u32,
    #[serde(flatten)]
    body: &'a T,
}

/// An object with its version, on one line.
#[must_use]
pub fn line<T: Serialize>(body: &T) -> String {
    let document = Document {
        papan: VERSION,
        body,
    };
    serde_json::to_string(&document).expect("plain data becomes JSON") + "\n"
}

/// Several objects, each with its version, as an array on one line.
#[must_use]
pub fn array<T: Serialize>(bodies: &[T]) -> String {
    let documents: Vec<Document<'_, T>> = bodies
        .iter()
        .map(|body| Document {
            papan: VERSION,
            body,
        })
        .collect();
    serde_json::to_string(&documents).expect("plain data becomes JSON") + "\n"
}

/// An object with its version, on lines for people to read.
#[must_use]
pub fn page<T: Serialize>(body: &T) -> String {
    let document = Document {
        papan: VERSION,
        body,
    };
    serde_json::to_string_pretty(&document).expect("plain data becomes JSON") + "\n"
}

/// Moves as records have them.
#[must_use]
pub fn moves(game: &AnyGame, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| game.format_move(mv)).collect()
}

/// A count: a number while every reader can hold it exactly, else text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(count) if count <= 1 << 53 => serializer.serialize_u64(count),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_a_number_until_readers_would_round_it() {
        let text = |count| serde_json::to_string(&Count(count)).unwrap();
        assert_eq!(text(1 << 53), "9007199254740992");
        assert_eq!(text((1 << 53) + 1), "\"9007199254740993\"");
        assert_eq!(text(u128::MAX), format!("\"{}\"", u128::MAX));
    }
}
