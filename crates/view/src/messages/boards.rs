//! What is wrong with a position, a line of play or a record.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{
    IllegalMove, LineError, LineErrorCause, Player, PositionError, RecordError, RecordProblem,
};

use super::{expected_move, illegal, notation};
use crate::Messages;

/// Why a text is no position.
#[must_use]
pub fn position(words: Messages, error: &PositionError) -> String {
    let player = |player: Player| match player {
        Player::First => "X",
        Player::Second => "O",
    };
    match error {
        PositionError::BadCharacter { found, column } => words.with(
            "position-bad-character",
            [
                ("found", found.to_string().into()),
                ("column", column.to_string().into()),
            ],
        ),
        PositionError::Length { found, expected } => words.with(
            "position-length",
            [
                ("found", (*found).into()),
                ("expected", expected.to_string().into()),
            ],
        ),
        PositionError::NoTurn => words.text("position-no-turn"),
        PositionError::Counts { first, second } => words.with(
            "position-counts",
            [
                ("first", first.to_string().into()),
                ("second", second.to_string().into()),
            ],
        ),
        PositionError::Turn { right } => {
            words.with("position-turn", [("side", player(*right).into())])
        }
        PositionError::WonAlready(side) | PositionError::WonTwice(side) => {
            words.with("position-won", [("side", player(*side).into())])
        }
        PositionError::EmptyMiddle => words.text("position-middle"),
    }
}

/// Where a list of moves goes wrong, and why. `line` is the play up to there.
#[must_use]
pub fn line(words: Messages, line: &dyn AnyLine, error: &LineError) -> String {
    let game = line.game();
    let reason = match (&error.cause, game.parse_move(&error.word)) {
        (LineErrorCause::Illegal(why), Ok(mv)) => illegal(words, line, mv, *why),
        (cause, _) => line_cause(words, Some(&game), &error.word, cause),
    };
    words.with(
        "wrong-at-move",
        [
            ("number", (line.moves().len() + 1).to_string().into()),
            ("reason", reason.into()),
        ],
    )
}

/// What is wrong with a move, where the position is not at hand.
#[must_use]
pub fn line_cause(
    words: Messages,
    game: Option<&AnyGame>,
    word: &str,
    cause: &LineErrorCause,
) -> String {
    let with_move = |key: &str| words.with(key, [("move", word.to_owned().into())]);
    match (cause, game) {
        (LineErrorCause::Notation(error), Some(game)) => notation(words, game, error),
        (LineErrorCause::Notation(_), None) => words.text("wrong-no-move"),
        (LineErrorCause::Illegal(why), _) => match why {
            IllegalMove::GameOver => words.text("wrong-game-over"),
            IllegalMove::Occupied => with_move("wrong-occupied"),
            IllegalMove::FlipsNothing => with_move("wrong-flips-nothing-here"),
            IllegalMove::CannotPass => words.text("wrong-cannot-pass"),
            IllegalMove::MustPass => words.text("wrong-must-pass"),
            IllegalMove::OffBoard => match game {
                Some(game) => words.with(
                    "wrong-off-board",
                    [
                        ("text", word.to_owned().into()),
                        ("expected", expected_move(words, game).into()),
                    ],
                ),
                None => words.text("wrong-no-move"),
            },
        },
    }
}

/// Where a record is wrong, and why. `game` is the one that it names, if it is known.
#[must_use]
pub fn record(words: Messages, game: Option<&AnyGame>, error: &RecordError) -> String {
    let with = |key: &str, text: &str| words.with(key, [("text", text.to_owned().into())]);
    let problem = match &error.problem {
        RecordProblem::NoHeader => words.text("record-no-header"),
        RecordProblem::OtherKind(kind) => with("record-other-kind", kind),
        RecordProblem::Version(version) => with("record-version", version),
        RecordProblem::UnknownField => words.text("record-unknown-field"),
        RecordProblem::Twice(key) => with("record-twice", key),
        RecordProblem::Missing(key) => with("record-missing", key),
        RecordProblem::OpenReason => words.text("record-open-reason"),
        RecordProblem::NoResult(word) => with("record-no-result", word),
        RecordProblem::NoTime(word) => with("record-no-time", word),
        RecordProblem::NoComment => words.text("record-no-comment"),
        RecordProblem::Start(error) => position(words, error),
        RecordProblem::Move { word, cause } => line_cause(words, game, word, cause),
        RecordProblem::OtherResult { right, told } => words.with(
            "record-other-result",
            [
                ("right", right.to_string().into()),
                ("told", told.to_string().into()),
            ],
        ),
    };
    at_place(words, error.line, error.column, problem)
}

/// A problem with its place in a text.
pub(super) fn at_place(words: Messages, line: usize, column: usize, problem: String) -> String {
    words.with(
        "wrong-at-place",
        [
            ("line", line.to_string().into()),
            ("column", column.to_string().into()),
            ("problem", problem.into()),
        ],
    )
}
