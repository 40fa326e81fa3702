//! Messages for errors in positions, lines of play and records.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{
    IllegalMove, LineError, LineErrorCause, Player, PositionError, RecordError, RecordProblem,
    SwapChoice, SwapError, SwapRule,
};

use super::{expected_move, illegal, notation};
use crate::{Messages, MoveNotation};

/// Returns why a text is not a position.
#[must_use]
pub fn position(messages: Messages, error: &PositionError) -> String {
    let player = |player: Player| match player {
        Player::First => "X",
        Player::Second => "O",
    };
    match error {
        PositionError::BadCharacter { found, column } => messages.with(
            "position-bad-character",
            [
                ("found", found.to_string().into()),
                ("column", column.to_string().into()),
            ],
        ),
        PositionError::Length { found, expected } => messages.with(
            "position-length",
            [
                ("found", (*found).into()),
                ("expected", expected.to_string().into()),
            ],
        ),
        PositionError::NoTurn => messages.text("position-no-turn"),
        PositionError::Counts { first, second } => messages.with(
            "position-counts",
            [
                ("first", first.to_string().into()),
                ("second", second.to_string().into()),
            ],
        ),
        PositionError::Turn { right } => {
            messages.with("position-turn", [("side", player(*right).into())])
        }
        PositionError::WonAlready(side) | PositionError::WonTwice(side) => {
            messages.with("position-won", [("side", player(*side).into())])
        }
        PositionError::EmptyMiddle => messages.text("position-middle"),
    }
}

/// Returns where a list of moves is wrong, and why. `line` is the play up to there.
#[must_use]
pub fn line(messages: Messages, line: &dyn AnyLine, error: &LineError) -> String {
    let game = line.game();
    let reason = match (&error.cause, game.parse_move(&error.word)) {
        (LineErrorCause::Illegal(why), Ok(mv)) => {
            let notation = MoveNotation::of(&game, &error.word).unwrap_or_default();
            illegal(messages, line, notation, mv, *why)
        }
        (cause, _) => line_cause(messages, Some(&game), &error.word, cause),
    };
    messages.with(
        "wrong-at-move",
        [
            ("number", (line.moves().len() + 1).to_string().into()),
            ("reason", reason.into()),
        ],
    )
}

/// Returns why a move is wrong, where the position is not available.
#[must_use]
pub fn line_cause(
    messages: Messages,
    game: Option<&AnyGame>,
    word: &str,
    cause: &LineErrorCause,
) -> String {
    let with_move = |key: &str| messages.with(key, [("move", word.to_owned().into())]);
    match (cause, game) {
        (LineErrorCause::Notation(error), Some(game)) => notation(messages, game, error),
        (LineErrorCause::Notation(_), None) => messages.text("wrong-no-move"),
        (LineErrorCause::Illegal(why), _) => match why {
            IllegalMove::GameOver => messages.text("wrong-game-over"),
            IllegalMove::Occupied => with_move("wrong-occupied"),
            IllegalMove::FlipsNothing => with_move("wrong-flips-nothing-here"),
            IllegalMove::Forbidden(reason) => super::forbidden(messages, word.to_owned(), *reason),
            IllegalMove::CannotPass => messages.text("wrong-cannot-pass"),
            IllegalMove::MustPass => messages.text("wrong-must-pass"),
            IllegalMove::OffBoard => match game {
                Some(game) => messages.with(
                    "wrong-off-board",
                    [
                        ("text", word.to_owned().into()),
                        ("expected", expected_move(messages, game).into()),
                    ],
                ),
                None => messages.text("wrong-no-move"),
            },
        },
    }
}

/// Describes a wrong swap opening.
#[must_use]
pub fn swap(messages: Messages, error: &SwapError) -> String {
    let with = |key: &str, text: &str| messages.with(key, [("text", text.to_owned().into())]);
    match error {
        SwapError::Rule(text) => with("swap-no-rule", text),
        SwapError::Text(text) => with("swap-no-text", text),
        SwapError::Choice(choice) => with("swap-no-choice", &swap_choice(messages, *choice)),
        SwapError::Moves(plies) => with("swap-wrong-moves", &plies.to_string()),
    }
}

/// Returns a choice of a swap opening in words.
#[must_use]
pub fn swap_choice(messages: Messages, choice: SwapChoice) -> String {
    messages.text(match choice {
        SwapChoice::Black => "swap-black",
        SwapChoice::White => "swap-white",
        SwapChoice::PlaceTwo => "swap-two",
    })
}

/// Checks that a game may begin with a swap opening.
///
/// # Errors
/// When it may not, with the reason.
pub fn check_swap(messages: Messages, game: &AnyGame, rule: SwapRule) -> Result<(), String> {
    if game.has_swap_openings() {
        return Ok(());
    }
    let values = [
        ("rule", rule.to_string().into()),
        ("game", game.name().into()),
    ];
    Err(messages.with("swap-no-game", values))
}

/// Returns where a record is wrong, and why. `game` is the game that it names, if known.
#[must_use]
pub fn record(messages: Messages, game: Option<&AnyGame>, error: &RecordError) -> String {
    let with = |key: &str, text: &str| messages.with(key, [("text", text.to_owned().into())]);
    let problem = match &error.problem {
        RecordProblem::NoHeader => messages.text("record-no-header"),
        RecordProblem::OtherKind(kind) => with("record-other-kind", kind),
        RecordProblem::Version(version) => with("record-version", version),
        RecordProblem::UnknownField => messages.text("record-unknown-field"),
        RecordProblem::Twice(key) => with("record-twice", key),
        RecordProblem::Missing(key) => with("record-missing", key),
        RecordProblem::OpenReason => messages.text("record-open-reason"),
        RecordProblem::NoResult(word) => with("record-no-result", word),
        RecordProblem::NoTime(word) => with("record-no-time", word),
        RecordProblem::Opening(error) => swap(messages, error),
        RecordProblem::NoComment => messages.text("record-no-comment"),
        RecordProblem::Start(error) => position(messages, error),
        RecordProblem::Move { word, cause } => line_cause(messages, game, word, cause),
        RecordProblem::OtherResult { right, told } => messages.with(
            "record-other-result",
            [
                ("right", right.to_string().into()),
                ("told", told.to_string().into()),
            ],
        ),
    };
    at_place(messages, error.line, error.column, problem)
}

/// Adds line and column to a problem.
pub(super) fn at_place(messages: Messages, line: usize, column: usize, problem: String) -> String {
    messages.with(
        "wrong-at-place",
        [
            ("line", line.to_string().into()),
            ("column", column.to_string().into()),
            ("problem", problem.into()),
        ],
    )
}
