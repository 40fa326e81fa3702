//! Messages for strategies that cannot play and files that cannot be used.

use std::io::{Error, ErrorKind};
use std::path::Path;

use papan_catalog::trace::{TRACEABLE, TraceError};
use papan_catalog::tree::{MAX_LAST_ROW, TreeError};
use papan_catalog::{EngineError, MAX_THREADS, Unplayable, WeightsFile};
use papan_solve::StrategyError;
use papan_strategies::{ListLine, LookupError, NoMove, ProgramFault, TimeError};

use super::table;
use crate::Messages;

/// Returns why a strategy cannot play a board.
#[must_use]
pub fn unplayable(messages: Messages, error: &Unplayable) -> String {
    let of = |key: &str, strategy: &'static str, name: &'static str, value: &str| {
        let value = value.to_owned();
        messages.with(key, [("strategy", strategy.into()), (name, value.into())])
    };
    let in_path = |path: &str, reason: String| {
        let name = path.to_owned();
        messages.with(
            "name-in",
            [("name", name.into()), ("reason", reason.into())],
        )
    };
    match error {
        Unplayable::WrongGame { strategy, game } => {
            of("unplayable-wrong-game", strategy, "game", game)
        }
        Unplayable::OneBoard {
            strategy,
            board,
            game,
        } => messages.with(
            "unplayable-one-board",
            [
                ("strategy", (*strategy).into()),
                ("board", (*board).into()),
                ("game", game.clone().into()),
            ],
        ),
        Unplayable::NeedsDepth { strategy, board } => {
            of("unplayable-needs-depth", strategy, "board", board)
        }
        Unplayable::TooLarge { strategy, board } => {
            of("unplayable-too-large", strategy, "board", board)
        }
        Unplayable::OtherSeat {
            strategy,
            board,
            player,
        } => messages.with(
            &format!("unplayable-other-seat-{player}"),
            [
                ("strategy", (*strategy).into()),
                ("board", board.clone().into()),
            ],
        ),
        Unplayable::NoCertificate {
            strategy,
            board,
            file,
        } => messages.with(
            "unplayable-no-certificate",
            [
                ("strategy", (*strategy).into()),
                ("board", board.clone().into()),
                ("file", (*file).into()),
            ],
        ),
        Unplayable::Guest { name, why } => messages.with(
            "unplayable-program",
            [
                ("name", name.clone().into()),
                ("reason", messages.phrase(why).into()),
            ],
        ),
        Unplayable::NoWeights { file } => no_weights(messages, file),
        Unplayable::NeedsFile { strategy } => {
            messages.with("unplayable-needs-file", [("strategy", (*strategy).into())])
        }
        Unplayable::Unreadable { path, cause } => in_path(path, file(messages, cause)),
        Unplayable::BrokenTable { path, cause } => in_path(path, table(messages, cause)),
        Unplayable::BrokenList { path, cause } => in_path(path, list(messages, cause)),
        Unplayable::BrokenBook { path, cause } => in_path(
            path,
            messages.with("book-wrong", [("line", cause.line.to_string().into())]),
        ),
        Unplayable::Engine(error) => engine(messages, error),
    }
}

/// Returns where a list of positions is wrong, and why.
fn list(messages: Messages, error: &LookupError) -> String {
    let expected = match &error.expected {
        ListLine::Messages(text) => format!("“{text}”"),
        ListLine::Answer => messages.text("list-answer"),
        ListLine::Position => messages.text("list-position"),
        ListLine::Move => messages.text("list-move"),
        ListLine::NewPosition => messages.text("list-new-position"),
    };
    let line = error.line.to_string();
    messages.with(
        "list-wrong",
        [("line", line.into()), ("expected", expected.into())],
    )
}

fn no_weights(messages: Messages, file: &'static str) -> String {
    messages.with("engine-no-weights", [("file", file.into())])
}

fn engine(messages: Messages, error: &EngineError) -> String {
    match error {
        EngineError::HashTooLarge { asked, largest } => messages.with(
            "engine-hash",
            [
                ("asked", asked.to_string().into()),
                ("largest", largest.to_string().into()),
            ],
        ),
        EngineError::NoWeights => no_weights(messages, WeightsFile::Othello.name()),
        EngineError::Threads { asked } => messages.with(
            "engine-threads",
            [
                ("asked", asked.to_string().into()),
                ("most", MAX_THREADS.to_string().into()),
            ],
        ),
    }
}

/// Returns why a strategy has no move, as the part of a sentence after a colon.
#[must_use]
pub fn no_move(messages: Messages, error: &NoMove) -> String {
    let row = |key: &str, row: &str| messages.with(key, [("row", row.to_owned().into())]);
    match error {
        NoMove::GameOver => messages.text("fault-game-over"),
        NoMove::NoRow(text) => row("fault-no-row", text),
        NoMove::IllegalReply(text) => row("fault-illegal-reply", text),
        NoMove::Program(fault, detail) if detail.is_empty() => program_fault(messages, *fault),
        NoMove::Program(fault, detail) => {
            let detail = messages.phrase(detail);
            format!("{} ({detail})", program_fault(messages, *fault))
        }
        NoMove::Failed(text) => messages.phrase(text),
    }
}

/// Returns how a program failed, as the part of a sentence after a colon.
#[must_use]
pub fn program_fault(messages: Messages, fault: ProgramFault) -> String {
    messages.text(&format!("program-{fault}"))
}

/// Returns why a strategy has no legal move, as the part of a sentence after a colon.
#[must_use]
pub fn no_answer(messages: Messages, fault: &StrategyError) -> String {
    match fault {
        StrategyError::NoMove(error) => no_move(messages, error),
        StrategyError::Illegal(_) => messages.text("fault-illegal-move"),
        StrategyError::Silent => messages.text("fault-silent"),
    }
}

/// Returns why a text is not a time.
#[must_use]
pub fn time(messages: Messages, error: &TimeError) -> String {
    let (key, text) = match error {
        TimeError::Unreadable(text) => ("time-unreadable", text),
        TimeError::Nothing(text) => ("time-nothing", text),
    };
    messages.with(key, [("text", text.clone().into())])
}

/// Returns why a file cannot be read or written, as the part of a sentence after a colon.
#[must_use]
pub fn file(messages: Messages, error: &Error) -> String {
    let key = match error.kind() {
        ErrorKind::NotFound => "file-not-found",
        ErrorKind::PermissionDenied => "file-not-allowed",
        ErrorKind::AlreadyExists => "file-exists",
        ErrorKind::IsADirectory => "file-is-directory",
        ErrorKind::NotADirectory => "file-not-directory",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "file-disk-full",
        ErrorKind::ReadOnlyFilesystem => "file-read-only",
        ErrorKind::InvalidData => "file-not-text",
        ErrorKind::InvalidInput => "file-not-plain",
        ErrorKind::FileTooLarge => "file-too-large",
        ErrorKind::InvalidFilename => "file-bad-name",
        _ => return messages.with("file-other", [("text", error.to_string().into())]),
    };
    messages.text(key)
}

/// Adds the file name to a problem.
#[must_use]
pub fn in_file(messages: Messages, path: &Path, reason: String) -> String {
    let name = path.display().to_string();
    messages.with(
        "name-in",
        [("name", name.into()), ("reason", reason.into())],
    )
}

/// Returns why a strategy cannot be traced.
#[must_use]
pub fn trace(messages: Messages, error: &TraceError) -> String {
    match error {
        TraceError::GameOver => messages.text("explain-over"),
        TraceError::NoSteps(strategy) => {
            let values = [
                ("strategy", (*strategy).into()),
                ("strategies", TRACEABLE.join(", ").into()),
            ];
            messages.with("trace-which", values)
        }
        TraceError::Unplayable(error) => unplayable(messages, error),
        TraceError::NoMove(error) => no_move(messages, error),
    }
}

/// Returns why a strategy has no search tree.
#[must_use]
pub fn tree(messages: Messages, error: &TreeError) -> String {
    match error {
        TreeError::GameOver => messages.text("explain-over"),
        TreeError::NoTree => messages.text("tree-which"),
        TreeError::Shortest => messages.text("tree-prefer"),
        TreeError::AsPrinted => messages.text("as-printed-has-no-tree"),
        TreeError::TooLarge(count) => {
            let most = MAX_LAST_ROW.to_string();
            let values = [("count", count.to_string().into()), ("most", most.into())];
            messages.with("tree-too-large", values)
        }
        TreeError::Unplayable(error) => unplayable(messages, error),
        TreeError::NoMove(error) => no_move(messages, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_rules::Move;
    use papan_strategies::TransitionTable;

    /// Returns the messages of all failures in a language.
    fn sentences(messages: Messages) -> Vec<String> {
        let path = || "a.file".to_owned();
        let lines = [
            ListLine::Messages("papan lookup 1".into()),
            ListLine::Answer,
            ListLine::Position,
            ListLine::Move,
            ListLine::NewPosition,
        ];
        let lists = lines.map(|expected| Unplayable::BrokenList {
            path: path(),
            cause: LookupError { line: 3, expected },
        });
        let others = [
            Unplayable::WrongGame {
                strategy: "expert",
                game: "othello".into(),
            },
            Unplayable::OneBoard {
                strategy: "expert",
                board: "3x3",
                game: "tictactoe:4x4".into(),
            },
            Unplayable::NeedsDepth {
                strategy: "minimax",
                board: "4x4".into(),
            },
            Unplayable::TooLarge {
                strategy: "perfect",
                board: "9x9".into(),
            },
            Unplayable::OtherSeat {
                strategy: "perfect",
                board: "5x6".into(),
                player: papan_rules::Player::First,
            },
            Unplayable::OtherSeat {
                strategy: "perfect",
                board: "5x6".into(),
                player: papan_rules::Player::Second,
            },
            Unplayable::NoCertificate {
                strategy: "perfect",
                board: "tictactoe:7x7:5".into(),
                file: "tictactoe-7x7-5.certificate",
            },
            Unplayable::NoWeights {
                file: "gomoku.weights",
            },
            Unplayable::NeedsFile { strategy: "lookup" },
            Unplayable::Unreadable {
                path: path(),
                cause: ErrorKind::NotFound.into(),
            },
            Unplayable::BrokenTable {
                path: path(),
                cause: TransitionTable::parse("nonsense").unwrap_err(),
            },
            Unplayable::Engine(EngineError::HashTooLarge {
                asked: 1 << 20,
                largest: 1024,
            }),
            Unplayable::Engine(EngineError::Threads { asked: 0 }),
            Unplayable::Engine(EngineError::NoWeights),
        ];
        let faults = [
            StrategyError::NoMove(NoMove::GameOver),
            StrategyError::NoMove(NoMove::NoRow("x".into())),
            StrategyError::NoMove(NoMove::IllegalReply("x".into())),
            StrategyError::Illegal(Move::on(0)),
            StrategyError::Silent,
        ];
        let kinds = [
            ErrorKind::NotFound,
            ErrorKind::PermissionDenied,
            ErrorKind::AlreadyExists,
            ErrorKind::IsADirectory,
            ErrorKind::NotADirectory,
            ErrorKind::StorageFull,
            ErrorKind::QuotaExceeded,
            ErrorKind::ReadOnlyFilesystem,
            ErrorKind::InvalidData,
            ErrorKind::InvalidInput,
            ErrorKind::FileTooLarge,
            ErrorKind::InvalidFilename,
            ErrorKind::WouldBlock,
        ];
        let mut all: Vec<String> = (lists.iter().chain(&others))
            .map(|error| unplayable(messages, error))
            .collect();
        all.extend(faults.iter().map(|fault| no_answer(messages, fault)));
        all.extend(kinds.map(|kind| file(messages, &kind.into())));
        all
    }

    #[test]
    fn every_failure_has_a_message_in_both_languages() {
        let english = sentences(Messages::new(Language::English));
        let indonesian = sentences(Messages::new(Language::Indonesian));
        for (english, indonesian) in english.iter().zip(&indonesian) {
            assert_ne!(english, indonesian);
            for word in [" the ", " is ", " not ", " has ", "expected"] {
                assert!(!indonesian.contains(word), "{indonesian}");
            }
        }
    }
}
