//! Errors of records, with line and column.

use super::RecordResult;
use super::text::{HEADER, KEYS};
use crate::{LineErrorCause, PositionError, SwapError};

/// An error in a record, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The problem, and the correct form.
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

/// A problem in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordProblem {
    /// The header is missing.
    #[error("a record begins with `{HEADER}`")]
    NoHeader,
    /// A file of papan's, but of another kind.
    #[error("this is a `{0}` file, not a record; a record begins with `{HEADER}`")]
    OtherKind(String),
    /// A record of a later version.
    #[error("this is a record of version {0}; this papan reads versions 1 to 3")]
    Version(String),
    /// A line without a known key.
    #[error("expected one of `{}:`", KEYS.join(":`, `"))]
    UnknownField,
    /// A repeated field.
    #[error("`{0}:` is repeated")]
    Twice(&'static str),
    /// A missing field.
    #[error("`{0}:` is missing")]
    Missing(&'static str),
    /// A reason without parentheses.
    #[error("the reason needs `(` and `)` around it")]
    OpenReason,
    /// An unknown result.
    #[error("`{0}` is no result; write first, second, draw or unfinished")]
    NoResult(String),
    /// A time that is not a whole number of milliseconds.
    #[error("`{0}` is no time; write milliseconds, one number for each move")]
    NoTime(String),
    /// A wrong swap opening, or one that does not fit the moves.
    #[error(transparent)]
    Opening(SwapError),
    /// A comment without `=`.
    #[error("write the moves that lead there, `=`, and the comment")]
    NoComment,
    /// An invalid start position.
    #[error(transparent)]
    Start(PositionError),
    /// An invalid move.
    #[error("move `{word}`: {cause}")]
    Move {
        /// The move.
        word: String,
        /// The cause.
        cause: LineErrorCause,
    },
    /// The moves lead to another result.
    #[error("the moves lead to `{right}`, not to `{told}`")]
    OtherResult {
        /// The result by the rules.
        right: RecordResult,
        /// The result in the record.
        told: RecordResult,
    },
}
