//! Typed errors as sentences for a player.

mod boards;
mod failures;
pub mod files;
mod names;

pub use boards::{line, line_cause, position, record};
pub use failures::{file, in_file, no_answer, no_move, time, unplayable};
pub use names::{about_strategy, default, expected, game, parameter, player, strategy_name, table};

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{IllegalMove, Move, NotationError, Pieces, Player, column_name};
use papan_strategies::Score;

use crate::{Messages, score};

/// A player's name as the board's pieces have it: X and O, or Black and White.
#[must_use]
pub fn side(words: Messages, pieces: Pieces, player: Player, marks: crate::Marks) -> String {
    match (pieces, player) {
        (Pieces::Marks, _) => marks.letter(player).to_string(),
        (Pieces::Discs, Player::First) => words.text("side-first-discs"),
        (Pieces::Discs, Player::Second) => words.text("side-second-discs"),
    }
}

/// What would be a move of this game.
#[must_use]
pub fn expected_move(words: Messages, game: &AnyGame) -> String {
    let last = game.cells();
    let written = game.format_move(Move::on(last - 1));
    let by_number = written.starts_with(|c: char| c.is_ascii_digit());
    match (by_number, game.shape().sides()) {
        (false, [rows, columns]) => words.with(
            "expected-square",
            [
                ("square", written.into()),
                ("last", format!("{rows}{columns}").into()),
            ],
        ),
        (_, [rows, columns]) => {
            let letter = column_name(columns - 1);
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

/// A large number in few characters: `950`, `12 k`, `6.8 M`.
#[must_use]
pub fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} k", number / 1000),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// Why a text is no move.
#[must_use]
pub fn notation(words: Messages, game: &AnyGame, error: &NotationError) -> String {
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
        .map(|mv| game.show_move(mv))
        .collect();
    moves.join(" ")
}

/// A move that somebody would play, with what it is worth where that is known.
#[must_use]
pub fn hint(
    words: Messages,
    game: &AnyGame,
    strategy: &str,
    mv: Move,
    worth: Option<Score>,
) -> String {
    let mv = ("move", game.show_move(mv).into());
    let strategy = ("strategy", strategy.to_owned().into());
    match worth {
        Some(score) => {
            let score = score::text(score, words);
            words.with("hint-scored", [mv, strategy, ("score", score.into())])
        }
        None => words.with("hint-guess", [mv, strategy]),
    }
}

/// Why a move is illegal here.
#[must_use]
pub fn illegal(words: Messages, line: &dyn AnyLine, mv: Move, why: IllegalMove) -> String {
    let text = line.game().show_move(mv);
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
