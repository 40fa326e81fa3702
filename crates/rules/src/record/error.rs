//! What can be wrong with a record, and where.

use super::RecordResult;
use super::text::{HEADER, KEYS};
use crate::{LineErrorCause, PositionError};

/// A record that cannot be read: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// What was wrong and what would be right.
    pub problem: RecordProblem,
}

impl RecordError {
    pub(super) fn at((line, column): (usize, usize), problem: RecordProblem) -> Self {
        Self {
            line,
            column,
            problem,
        }
    }
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordProblem {
    /// It does not begin as a record does.
    #[error("a record begins with `{HEADER}`")]
    NoHeader,
    /// It is a file of papan's, but of another kind.
    #[error("this is a `{0}` file, not a record; a record begins with `{HEADER}`")]
    OtherKind(String),
    /// A later papan wrote it.
    #[error("this is a record of version {0}; this papan reads versions 1 and 2")]
    Version(String),
    /// A line without one of the known names before its colon.
    #[error("expected one of `{}:`", KEYS.join(":`, `"))]
    UnknownField,
    /// A field a second time.
    #[error("`{0}:` stands here a second time")]
    Twice(&'static str),
    /// A field that has to be there.
    #[error("`{0}:` is missing")]
    Missing(&'static str),
    /// A reason without its parentheses.
    #[error("the reason needs `(` and `)` around it")]
    OpenReason,
    /// No result has that name.
    #[error("`{0}` is no result; write first, second, draw or unfinished")]
    NoResult(String),
    /// A time that is no whole number of milliseconds.
    #[error("`{0}` is no time; write milliseconds, one number for each move")]
    NoTime(String),
    /// A comment without its sign of equality.
    #[error("write the moves that lead there, `=`, and the comment")]
    NoComment,
    /// It starts from no position.
    #[error(transparent)]
    Start(PositionError),
    /// A move is wrong.
    #[error("move `{word}`: {cause}")]
    Move {
        /// The move.
        word: String,
        /// What is wrong with it.
        cause: LineErrorCause,
    },
    /// The moves lead elsewhere.
    #[error("the moves lead to `{right}`, not to `{told}`")]
    OtherResult {
        /// The result by the rules.
        right: RecordResult,
        /// The result in the record.
        told: RecordResult,
    },
}
