//! Localised sentences for typed errors and other values.

mod boards;
mod certificates;
mod failures;
pub mod files;
mod names;
mod proofs;

pub use boards::{check_swap, line, line_cause, position, record, swap, swap_choice};
pub use certificates::{check, refused};
pub use failures::{
    file, in_file, no_answer, no_move, program_fault, time, trace, tree, unplayable,
};
pub use names::{about_strategy, default, expected, game, parameter, player, strategy_name, table};
pub use proofs::{answer, line_of_play, unproved};

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Forbidden, IllegalMove, Move, NotationError, Pieces, Player, column_name};
use papan_strategies::Score;

use crate::{Messages, MoveNotation, score};

/// Returns the name of a side: X or O, Black or White.
#[must_use]
pub fn side(messages: Messages, pieces: Pieces, player: Player, marks: crate::Marks) -> String {
    match (pieces, player) {
        (Pieces::Marks, _) => marks.letter(player).to_string(),
        (Pieces::Discs | Pieces::Stones, Player::First) => messages.text("side-first-discs"),
        (Pieces::Discs | Pieces::Stones, Player::Second) => messages.text("side-second-discs"),
    }
}

/// Describes the notation of a move in this game.
#[must_use]
pub fn expected_move(messages: Messages, game: &AnyGame) -> String {
    let last = game.cells();
    let written = game.format_move(Move::on(last - 1));
    let by_number = written.starts_with(|c: char| c.is_ascii_digit());
    match (by_number, game.shape().sides()) {
        (false, [rows, columns]) if game.pieces() == Pieces::Stones => {
            let last = format!("{}{rows}", column_name(columns - 1));
            messages.with("expected-square-up-to", [("last", last.into())])
        }
        (false, [rows, columns]) => messages.with(
            "expected-square",
            [
                ("square", written.into()),
                ("last", format!("{rows}{columns}").into()),
            ],
        ),
        (_, [rows, columns]) => {
            let letter = column_name(columns - 1);
            messages.with(
                "expected-number-or-square",
                [
                    ("last", last.to_string().into()),
                    ("square", format!("{letter}{rows}").into()),
                ],
            )
        }
        _ => messages.with("expected-number", [("last", last.to_string().into())]),
    }
}

/// Formats a large number in few characters: `950`, `12 k`, `6.8 M`.
#[must_use]
pub fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} k", number / 1000),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// Returns why a text is not a move.
#[must_use]
pub fn notation(messages: Messages, game: &AnyGame, error: &NotationError) -> String {
    let expected = expected_move(messages, game);
    let with = |key: &str, text: &str| {
        messages.with(
            key,
            [
                ("text", text.to_owned().into()),
                ("expected", expected.clone().into()),
            ],
        )
    };
    match error {
        NotationError::Empty => messages.text("wrong-empty"),
        NotationError::NotAMove { text, .. } => with("wrong-not-a-move", text),
        NotationError::OutOfRange { text, .. } => with("wrong-off-board", text),
    }
}

/// Formats the legal moves.
#[must_use]
pub fn legal_moves(line: &dyn AnyLine, notation: MoveNotation) -> String {
    let game = line.game();
    let moves: Vec<String> = line
        .legal_moves()
        .into_iter()
        .map(|mv| notation.format(&game, mv))
        .collect();
    moves.join(" ")
}

/// Formats a hint: a move, with its score if it is known.
#[must_use]
pub fn hint(
    messages: Messages,
    game: &AnyGame,
    notation: MoveNotation,
    strategy: &str,
    mv: Move,
    worth: Option<Score>,
) -> String {
    let mv = ("move", notation.format(game, mv).into());
    let strategy = ("strategy", strategy.to_owned().into());
    match worth {
        Some(score) => {
            let score = score::text(score, messages);
            messages.with("hint-scored", [mv, strategy, ("score", score.into())])
        }
        None => messages.with("hint-guess", [mv, strategy]),
    }
}

/// Returns why a point is forbidden for Black at renju.
fn forbidden(messages: Messages, text: String, reason: Forbidden) -> String {
    let key = match reason {
        Forbidden::Overline => "wrong-overline",
        Forbidden::DoubleFour => "wrong-double-four",
        Forbidden::DoubleThree => "wrong-double-three",
    };
    messages.with(key, [("move", text.into())])
}

/// Returns why a move is illegal.
#[must_use]
pub fn illegal(
    messages: Messages,
    line: &dyn AnyLine,
    notation: MoveNotation,
    mv: Move,
    why: IllegalMove,
) -> String {
    let text = notation.format(&line.game(), mv);
    match why {
        IllegalMove::GameOver => messages.text("wrong-game-over"),
        IllegalMove::Occupied => messages.with("wrong-occupied", [("move", text.into())]),
        IllegalMove::FlipsNothing => messages.with(
            "wrong-flips-nothing",
            [
                ("move", text.into()),
                ("moves", legal_moves(line, notation).into()),
            ],
        ),
        IllegalMove::Forbidden(reason) => forbidden(messages, text, reason),
        IllegalMove::CannotPass => messages.text("wrong-cannot-pass"),
        IllegalMove::MustPass => messages.text("wrong-must-pass"),
        IllegalMove::OffBoard => messages.with(
            "wrong-off-board",
            [
                ("text", text.into()),
                ("expected", expected_move(messages, &line.game()).into()),
            ],
        ),
    }
}
