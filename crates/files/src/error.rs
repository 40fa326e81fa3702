//! What can be wrong with a file, and where.

use papan_catalog::GameError;
use papan_rules::{IllegalMove, LineError, Player, PositionError, RecordError};

use crate::Format;
use crate::obf::ObfError;

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
    #[error("game {number}: a {format} file cannot hold {what}; a record can")]
    CannotHold {
        /// The game, counted from 1.
        number: usize,
        /// The kind of file.
        format: Format,
        /// What it has no words for.
        what: Unwritable,
    },
}

/// What a kind of file may have no words for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// This game.
    #[error("a game of {0}")]
    Game(String),
    /// A start that is not the game's.
    #[error("a game from a position of its own")]
    OwnStart,
    /// A game in which there is nothing left to do.
    #[error("a game that is over")]
    Over,
}

/// One game of a file that cannot be read: where, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {cause}")]
pub struct ParseError {
    /// The line, counted from 1; in a database the number of the game.
    pub line: usize,
    /// The column, counted from 1; in a database the number of the move.
    pub column: usize,
    /// What is wrong there.
    pub cause: ParseErrorKind,
}

impl ParseError {
    pub(crate) fn at((line, column): (usize, usize), cause: impl Into<ParseErrorKind>) -> Self {
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
pub enum ParseErrorKind {
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
    /// A move that the rules forbid.
    #[error("move `{mv}`: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// What forbids it.
        why: IllegalMove,
    },
    /// A move of the player whose turn it is not.
    #[error("a move out of turn; it is the turn of the {} player", ordinal(*.turn))]
    OutOfTurn {
        /// Whose turn it is.
        turn: Player,
    },
    /// Something else stands where this should.
    #[error("{}; expected {expected}", found.as_ref().map_or("nothing".into(), |found| format!("`{found}`")))]
    Unexpected {
        /// What stands there; nothing at the end of a file.
        found: Option<String>,
        /// What would be right.
        expected: Expected,
    },
}

fn ordinal(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

impl ParseErrorKind {
    /// Something else stands where this should.
    pub(crate) fn expected(found: impl Into<String>, expected: Expected) -> Self {
        Self::Unexpected {
            found: Some(found.into()),
            expected,
        }
    }

    /// Nothing stands where this should.
    pub(crate) fn missing(expected: Expected) -> Self {
        Self::Unexpected {
            found: None,
            expected,
        }
    }
}

/// What would be right in a place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Expected {
    /// A character, or one of several.
    #[error("{0}")]
    Sign(&'static str),
    /// A game of a tree of moves.
    #[error("a game in brackets, (;…)")]
    Tree,
    /// The game of an SGF file.
    #[error("GM[2], Othello, or GM[4], Gomoku")]
    SgfGame,
    /// The size of an SGF board.
    #[error("SZ[15] or SZ[15:12]")]
    SgfSize,
    /// A point of an SGF file.
    #[error("a point of the board, such as dd")]
    SgfPoint,
    /// A move of a GGF file.
    #[error("a square such as f5, or PA")]
    GgfSquare,
    /// The position of a GGF file.
    #[error("BO[8, the 64 squares, and * or O to move]")]
    GgfBoard,
    /// The first line of a Piskvork file.
    #[error("`Piskvorky 20x20, …`")]
    PsqHeader,
    /// A cell of a Piskvork file.
    #[error("a column and a row of the board, from 1")]
    PsqCell,
    /// A game of a WTHOR file.
    #[error("68 bytes for each game")]
    WthorGame,
    /// A square of a WTHOR file.
    #[error("11 to 88")]
    WthorSquare,
}
