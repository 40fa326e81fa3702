//! Typed errors as sentences for a player.

use papan_catalog::{AnyGame, AnyLine, Unplayable};
use papan_rules::{
    IllegalMove, LineError, LineErrorCause, Move, NotationError, Pieces, Player, PositionError,
};

use crate::Words;

/// A player's name as the board's pieces have it: X and O, or Black and White.
#[must_use]
pub fn side(words: Words, pieces: Pieces, player: Player, marks: crate::Marks) -> String {
    match (pieces, player) {
        (Pieces::Marks, _) => marks.letter(player).to_string(),
        (Pieces::Discs, Player::First) => words.text("side-first-discs"),
        (Pieces::Discs, Player::Second) => words.text("side-second-discs"),
    }
}

/// What would be a move of this game.
#[must_use]
pub fn expected_move(words: Words, game: &AnyGame) -> String {
    let last = game.cells();
    match (game.pieces(), game.shape().sides()) {
        (Pieces::Discs, [rows, columns]) => words.with(
            "expected-square",
            [
                ("square", game.format_move(Move::on(last - 1)).into()),
                ("last", format!("{rows}{columns}").into()),
            ],
        ),
        (_, [rows, columns]) if *columns <= 26 => {
            let letter = char::from(b'a' + (*columns as u8 - 1));
            words.with(
                "expected-number-or-square",
                [
                    ("last", last.to_string().into()),
                    ("square", format!("{letter}{rows}").into()),
                ],
            )
        }
        _ => words.with("expected-number", [("last", last.to_string().into())]),
    }
}

/// Why a text is no move.
#[must_use]
pub fn notation(words: Words, game: &AnyGame, error: &NotationError) -> String {
    let expected = expected_move(words, game);
    let with = |key: &str, text: &str| {
        words.with(
            key,
            [
                ("text", text.to_owned().into()),
                ("expected", expected.clone().into()),
            ],
        )
    };
    match error {
        NotationError::Empty => words.text("wrong-empty"),
        NotationError::NotAMove { text, .. } => with("wrong-not-a-move", text),
        NotationError::OutOfRange { text, .. } => with("wrong-off-board", text),
    }
}

/// The legal moves, as a person reads them.
#[must_use]
pub fn legal_moves(line: &dyn AnyLine) -> String {
    let game = line.game();
    let moves: Vec<String> = line
        .legal_moves()
        .into_iter()
        .map(|mv| game.format_move(mv))
        .collect();
    moves.join(" ")
}

/// Why a move is illegal here.
#[must_use]
pub fn illegal(words: Words, line: &dyn AnyLine, mv: Move, why: IllegalMove) -> String {
    let text = line.game().format_move(mv);
    match why {
        IllegalMove::GameOver => words.text("wrong-game-over"),
        IllegalMove::Occupied => words.with("wrong-occupied", [("move", text.into())]),
        IllegalMove::FlipsNothing => words.with(
            "wrong-flips-nothing",
            [("move", text.into()), ("moves", legal_moves(line).into())],
        ),
        IllegalMove::CannotPass => words.text("wrong-cannot-pass"),
        IllegalMove::MustPass => words.text("wrong-must-pass"),
        IllegalMove::OffBoard => words.with(
            "wrong-off-board",
            [
                ("text", text.into()),
                ("expected", expected_move(words, &line.game()).into()),
            ],
        ),
    }
}

/// Why a list of moves stops at the end of a line.
#[must_use]
pub fn line(words: Words, line: &dyn AnyLine, error: &LineError) -> String {
    let game = line.game();
    match &error.cause {
        LineErrorCause::Notation(error) => notation(words, &game, error),
        LineErrorCause::Illegal(why) => match game.parse_move(&error.word) {
            Ok(mv) => illegal(words, line, mv, *why),
            Err(error) => notation(words, &game, &error),
        },
    }
}

/// Why a text is no position.
#[must_use]
pub fn position(words: Words, error: &PositionError) -> String {
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
                ("found", found.to_string().into()),
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

/// Why a strategy cannot play a board.
#[must_use]
pub fn unplayable(words: Words, error: &Unplayable) -> String {
    match error {
        Unplayable::WrongGame { strategy, game } => words.with(
            "unplayable-wrong-game",
            [
                ("strategy", (*strategy).into()),
                ("game", game.clone().into()),
            ],
        ),
        Unplayable::OneBoard {
            strategy,
            board,
            game,
        } => words.with(
            "unplayable-one-board",
            [
                ("strategy", (*strategy).into()),
                ("board", (*board).into()),
                ("game", game.clone().into()),
            ],
        ),
        Unplayable::NeedsDepth { strategy, board } => words.with(
            "unplayable-needs-depth",
            [
                ("strategy", (*strategy).into()),
                ("board", board.clone().into()),
            ],
        ),
        Unplayable::TooLarge { strategy, board } => words.with(
            "unplayable-too-large",
            [
                ("strategy", (*strategy).into()),
                ("board", board.clone().into()),
            ],
        ),
        other => words.with("unplayable-other", [("reason", other.to_string().into())]),
    }
}
