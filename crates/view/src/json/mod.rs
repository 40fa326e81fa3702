//! Types of the JSON output of all commands.
//!
//! `docs/json.md` describes them and `docs/json.schema.json` is their JSON Schema; a test validates
//! the output of the commands against it.

mod automaton;
mod bench;
mod book;
mod census;
mod decision;
mod engine_check;
mod explain;
mod list;
mod missed_wins;
mod proof;
mod puzzle;
mod review;
mod score;
mod solution;
mod trace;
mod tree;

pub use automaton::{Finding, MinimizedTable, Problem, Size, TableCheck, TableVerdict, Transition};
pub use bench::{
    Bench, EndgameBench, Mismatch, PerftBench, Problem as BenchProblem, StrategyBench,
};
pub use book::{Book, BookMove};
pub use census::{Census, Results, UpToSymmetry};
pub use decision::{Candidate, Decision, Term, TermValue};
pub use engine_check::{EngineCheck, Trial};
pub use explain::{Explanation, MoveExplanation};
pub use list::{Family, List, Parameter, Recipe, Takes};
pub use missed_wins::MissedWins;
pub use proof::{CertificateCheck, CertificateClaim, NoProof, Proof, ProofAttempt, replay};
pub use puzzle::{Puzzle, PuzzleAttempt};
pub use review::{MoveReview, Review};
pub use score::{Bound, Score, Unit};
pub use solution::{Replies, Solution};
pub use trace::Step;
pub use tree::Tree;
use tree::bound_word;

use papan_catalog::AnyGame;
use papan_rules::{Move, sanitize};
use serde::{Serialize, Serializer};

/// Version of the JSON output. It changes when a key is removed or changes its meaning, not when one
/// is added.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a, T> {
    papan: u32,
    #[serde(flatten)]
    body: &'a T,
}

/// Formats an object with its version on one line.
#[must_use]
pub fn line<T: Serialize>(body: &T) -> String {
    let document = Document {
        papan: VERSION,
        body,
    };
    written(&serde_json::to_string(&document).expect("plain data becomes JSON"))
}

/// Formats objects, each with its version, as an array on one line.
#[must_use]
pub fn array<T: Serialize>(bodies: &[T]) -> String {
    let documents: Vec<Document<'_, T>> = bodies
        .iter()
        .map(|body| Document {
            papan: VERSION,
            body,
        })
        .collect();
    written(&serde_json::to_string(&documents).expect("plain data becomes JSON"))
}

/// Formats an object with its version, indented.
#[must_use]
pub fn page<T: Serialize>(body: &T) -> String {
    let document = Document {
        papan: VERSION,
        body,
    };
    written(&serde_json::to_string_pretty(&document).expect("plain data becomes JSON"))
}

/// Escapes control characters that a terminal would interpret, as `\u` escapes.
fn written(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        let mut bytes = [0; 4];
        let alone = character.encode_utf8(&mut bytes);
        match character {
            '\n' => text.push('\n'),
            _ if sanitize(alone) == *alone => text.push(character),
            _ => text.push_str(&format!("\\u{:04x}", u32::from(character))),
        }
    }
    text + "\n"
}

/// Formats moves as in records.
#[must_use]
pub fn moves(game: &AnyGame, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| game.format_move(mv)).collect()
}

/// A count: a number up to 2⁵³ (exact in every JSON reader), otherwise a string.
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
    fn control_characters_are_escaped() {
        let text = "a\u{1b}[2J\u{9b}\u{202e}\u{7f}\n\u{e9}";
        let line = line(&serde_json::json!({ "name": text }));
        assert_eq!(papan_rules::sanitize_lines(&line), line);
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["name"], text);
    }

    #[test]
    fn a_count_is_a_number_until_readers_would_round_it() {
        let text = |count| serde_json::to_string(&Count(count)).unwrap();
        assert_eq!(text(1 << 53), "9007199254740992");
        assert_eq!(text((1 << 53) + 1), "\"9007199254740993\"");
        assert_eq!(text(u128::MAX), format!("\"{}\"", u128::MAX));
    }
}
