//! Messages for game files that cannot be read or written.

use crate::{Messages, messages};
use papan_files::obf::Flaw;
use papan_files::{Expected, FileError, Format, NoFormat, ParseError, ParseErrorKind, Unwritable};
use papan_rules::{LineErrorCause, Player};

/// Returns why a whole file cannot be read or written, as the part of a sentence after a colon.
#[must_use]
pub fn file(messages: Messages, error: &FileError) -> String {
    match error {
        FileError::NoText(byte) => {
            messages.with("file-no-text", [("byte", byte.to_string().into())])
        }
        FileError::Empty => messages.text("file-empty"),
        FileError::ReadOnly(format) => read_only(messages, *format),
        FileError::CannotHold {
            number,
            format,
            what,
        } => messages.with(
            "file-cannot-hold",
            [
                ("number", number.to_string().into()),
                ("format", format.name().into()),
                ("what", unwritable(messages, what).into()),
            ],
        ),
    }
}

fn read_only(messages: Messages, format: Format) -> String {
    messages.with("file-reads-only", [("format", format.name().into())])
}

fn unwritable(messages: Messages, what: &Unwritable) -> String {
    match what {
        Unwritable::Game(game) => messages.with("unwritable-game", [("game", game.clone().into())]),
        Unwritable::OwnStart => messages.text("unwritable-start"),
        Unwritable::Over => messages.text("unwritable-over"),
    }
}

/// Returns the message for an unknown file format.
#[must_use]
pub fn no_format(messages: Messages, error: &NoFormat) -> String {
    messages.with("file-no-kind", [("text", error.0.clone().into())])
}

/// Returns the error of one game in a file, with its place.
#[must_use]
pub fn fault(messages: Messages, fault: &ParseError) -> String {
    let reason = match &fault.cause {
        // This message has its own place.
        ParseErrorKind::Record(error) => return messages::record(messages, None, error),
        ParseErrorKind::Game(error) => messages::game(messages, error),
        ParseErrorKind::Move(error) => {
            messages::line_cause(messages, None, &error.word, &error.cause)
        }
        ParseErrorKind::Position(error) => messages::position(messages, error),
        ParseErrorKind::Obf(error) => flaw(messages, &error.flaw),
        ParseErrorKind::Illegal { mv, why } => {
            messages::line_cause(messages, None, mv, &LineErrorCause::Illegal(*why))
        }
        ParseErrorKind::OutOfTurn { turn } => messages.text(match turn {
            Player::First => "fault-turn-of-first",
            Player::Second => "fault-turn-of-second",
        }),
        ParseErrorKind::Unexpected {
            found: Some(found),
            expected,
        } => messages.with(
            "fault-expected",
            [
                ("found", found.clone().into()),
                ("right", right(messages, *expected).into()),
            ],
        ),
        ParseErrorKind::Unexpected {
            found: None,
            expected,
        } => messages.with(
            "fault-missing",
            [("right", right(messages, *expected).into())],
        ),
    };
    messages.with(
        "fault-at",
        [
            ("line", fault.line.to_string().into()),
            ("column", fault.column.to_string().into()),
            ("problem", reason.into()),
        ],
    )
}

fn right(messages: Messages, right: Expected) -> String {
    messages.text(match right {
        // Literal syntax is the same in every language.
        Expected::Sign(_) | Expected::SgfSize | Expected::GgfBoard | Expected::PsqHeader => {
            return right.to_string();
        }
        Expected::Tree => "right-tree",
        Expected::SgfGame => "right-sgf-game",
        Expected::SgfPoint => "right-sgf-point",
        Expected::GgfSquare => "right-ggf-square",
        Expected::PsqCell => "right-psq-cell",
        Expected::WthorGame => "right-wthor-game",
        Expected::WthorSquare => "right-wthor-square",
    })
}

/// Returns the error of a line of an OBF file.
fn flaw(messages: Messages, flaw: &Flaw) -> String {
    let with = |key: &str, value: String| messages.with(key, [("text", value.into())]);
    match flaw {
        Flaw::Square(found) => with("obf-square", found.to_string()),
        Flaw::Length(found) => with("obf-length", found.to_string()),
        Flaw::NoSide => messages.text("obf-no-side"),
        Flaw::Side(found) => with("obf-side", found.clone()),
        Flaw::Over(score) => with("obf-over", format!("{score:+}")),
        Flaw::Score(found) => with("obf-score", found.clone()),
        Flaw::Illegal(found) => with("obf-illegal", found.clone()),
    }
}

#[cfg(test)]
mod tests {
    use crate::Language;

    use super::*;

    #[test]
    fn every_file_error_has_a_message_in_both_languages() {
        let files: [&[u8]; 14] = [
            b"\xff\xfe",
            b"",
            b"papan record 1\ngame: chess\n",
            b"papan record 1\ngame: chess\nfirst: a\nsecond: b\nmoves: 1\nresult: draw\n",
            b"f5d6\nf5a1\n",
            b"f5d6\nf5zz\n",
            b"(;GM[9])",
            b"(;GM[4]SZ[99])",
            b"(;GM[2];B[zz])",
            b"(;GM[2];W[f5])",
            b"(;GM[2];B[f5]",
            b"(;GM[Othello]BO[8 ---])",
            b"Piskvorky 0x0,\n",
            b"Piskvorky 15x15, 1\n99,1,0\n",
        ];
        let told = |messages: Messages, bytes: &[u8]| match papan_files::read(bytes, None) {
            Err(error) => file(messages, &error),
            Ok(file) => fault(messages, file.faults.first().expect("a fault")),
        };
        for bytes in files {
            let [english, indonesian] = [Language::English, Language::Indonesian]
                .map(|language| told(Messages::new(language), bytes));
            assert_ne!(english, indonesian);
            for word in [" the ", " is ", " not ", " no ", "expected"] {
                assert!(!indonesian.contains(word), "{indonesian}");
            }
        }
    }
}
