//! What can be wrong with a file, and where.

use papan_catalog::GameError;
use papan_othello::obf::ObfError;
use papan_rules::{LineError, PositionError, RecordError};

use crate::Format;

/// A file that cannot be read or written at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is neither text nor a database.
    #[error("byte {0} is no text, and the file is no database of games")]
    NoText(usize),
    /// There is nothing in it.
    #[error("the file is empty; expected games or positions")]
    Empty,
    /// A kind that is read only.
    #[error("papan reads {0} files and does not write them")]
    ReadOnly(Format),
    /// A kind that cannot say this.
    #[error("game {number}: a {format} file cannot hold {what}; {instead} can")]
    CannotHold {
        /// The game, counted from 1.
        number: usize,
        /// The kind of file.
        format: Format,
        /// What it has no words for.
        what: String,
        /// What has.
        instead: &'static str,
    },
}

/// One game of a file that cannot be read: where, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {cause}")]
pub struct Fault {
    /// The line, counted from 1; in a database the number of the game.
    pub line: usize,
    /// The column, counted from 1; in a database the number of the move.
    pub column: usize,
    /// What is wrong there.
    pub cause: FaultCause,
}

impl Fault {
    pub(crate) fn at((line, column): (usize, usize), cause: impl Into<FaultCause>) -> Self {
        let cause = cause.into();
        Self {
            line,
            column,
            cause,
        }
    }
}

/// What can be wrong with a game of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FaultCause {
    /// A record of papan's that is broken.
    #[error("{}", .0.problem)]
    Record(RecordError),
    /// The game's name says nothing.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A move is wrong.
    #[error(transparent)]
    Move(#[from] LineError),
    /// A position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A line of an OBF file.
    #[error("{}", .0.flaw)]
    Obf(ObfError),
    /// Something else stands where this should.
    #[error("{found}; expected {expected}")]
    Expected {
        /// What stands there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
}

impl FaultCause {
    /// Something else stands where `expected` should.
    pub(crate) fn expected(found: impl Into<String>, expected: &'static str) -> Self {
        Self::Expected {
            found: found.into(),
            expected,
        }
    }
}
