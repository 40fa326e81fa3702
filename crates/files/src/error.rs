//! Errors of game files, with their place.

use papan_catalog::GameError;
use papan_rules::{IllegalMove, LineError, Player, PositionError, RecordError};

use crate::Format;
use crate::obf::ObfError;

/// A file that cannot be read or written at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Neither text nor a database.
    #[error("byte {0} is no text, and the file is no database of games")]
    NoText(usize),
    /// An empty file.
    #[error("the file is empty; expected games or positions")]
    Empty,
    /// A format that papan does not write.
    #[error("papan reads {0} files and does not write them")]
    ReadOnly(Format),
    /// A format that cannot hold this game.
    #[error("game {number}: a {format} file cannot hold {what}; a record can")]
    CannotHold {
        /// The game, counted from 1.
        number: usize,
        /// The kind of file.
        format: Format,
        /// The part that it cannot hold.
        what: Unwritable,
    },
}

/// A part of a game that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The game itself.
    #[error("a game of {0}")]
    Game(String),
    /// A start position.
    #[error("a game from a position of its own")]
    OwnStart,
    /// A finished game.
    #[error("a game that is over")]
    Over,
}

/// An error in one game of a file, with its place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {cause}")]
pub struct ParseError {
    /// The line, counted from 1; in a database the number of the game.
    pub line: usize,
    /// The column, counted from 1; in a database the number of the move.
    pub column: usize,
    /// The cause.
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

/// The cause of an error in a game of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseErrorKind {
    /// An invalid record of papan.
    #[error("{}", .0.problem)]
    Record(RecordError),
    /// An unknown game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An invalid move.
    #[error(transparent)]
    Move(#[from] LineError),
    /// An invalid position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An invalid line of an OBF file.
    #[error("{}", .0.flaw)]
    Obf(ObfError),
    /// An illegal move.
    #[error("move `{mv}`: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// The reason.
        why: IllegalMove,
    },
    /// A move of the wrong player.
    #[error("a move out of turn; it is the turn of the {} player", ordinal(*.turn))]
    OutOfTurn {
        /// The player to move.
        turn: Player,
    },
    /// An unexpected token.
    #[error("{}; expected {expected}", found.as_ref().map_or("nothing".into(), |found| format!("`{found}`")))]
    Unexpected {
        /// The token; `None` at the end of the file.
        found: Option<String>,
        /// The expected token.
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
    /// Returns the error of an unexpected token.
    pub(crate) fn expected(found: impl Into<String>, expected: Expected) -> Self {
        Self::Unexpected {
            found: Some(found.into()),
            expected,
        }
    }

    /// Returns the error of a missing token.
    pub(crate) fn missing(expected: Expected) -> Self {
        Self::Unexpected {
            found: None,
            expected,
        }
    }
}

/// The token expected at a place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Expected {
    /// A character, or one of several.
    #[error("{0}")]
    Sign(&'static str),
    /// A game tree.
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
