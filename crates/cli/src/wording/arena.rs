//! Tournaments that cannot be played.

use std::path::Path;

use papan_arena::export::ExportError;
use papan_arena::limits::LimitError;
use papan_arena::openings::{NoOpening, OpeningError};
use papan_arena::protocol::{EngineError, SettingError};
use papan_arena::results::{HeaderError, ResultsError};
use papan_arena::{ArenaError, EntrantError, StartError, TermError, Unseated};
use papan_view::{Words, wording};

use papan_view::wording::files;

/// Why a text names nobody who can take part.
pub(crate) fn entrant(words: Words, error: &EntrantError) -> String {
    match error {
        EntrantError::Player(error) => {
            let reason = wording::player(words, error);
            words.with("entrant-player", [("reason", reason.into())])
        }
        EntrantError::Limits { text, cause } => player(words, text, term(words, cause)),
        EntrantError::Settings(text) => player(words, text, words.text("entrant-settings")),
        EntrantError::NoCommand(text) => player(words, text, words.text("entrant-no-command")),
    }
}

fn player(words: Words, player: &str, reason: String) -> String {
    let player = player.to_owned();
    words.with(
        "entrant-in",
        [("player", player.into()), ("reason", reason.into())],
    )
}

fn term(words: Words, error: &TermError) -> String {
    match error {
        TermError::Limit(error) => limit(words, error),
        TermError::Setting(error) => setting(words, error),
        TermError::Quote(text) => with(words, "command-quote", text),
    }
}

/// Why a limit is none.
pub(crate) fn limit(words: Words, error: &LimitError) -> String {
    match error {
        LimitError::Time(error) => wording::time(words, error),
        LimitError::Number(text) => with(words, "limit-number", text),
        LimitError::Key(text) => with(words, "limit-key", text),
    }
}

fn setting(words: Words, error: &SettingError) -> String {
    match error {
        SettingError::Key(text) => with(words, "setting-key", text),
        SettingError::Value { key, value, .. } => {
            let text = format!("{key}={value}");
            with(words, &format!("setting-{key}"), &text)
        }
    }
}

/// Why an opening cannot be played.
pub(crate) fn opening(words: Words, error: &OpeningError) -> String {
    let in_line = |number: &usize, text: &str, reason: String| {
        words.with(
            "opening-in-line",
            [
                ("number", number.to_string().into()),
                ("text", text.to_owned().into()),
                ("reason", reason.into()),
            ],
        )
    };
    match error {
        OpeningError::Illegal {
            number,
            text,
            cause,
        } => {
            let reason = wording::line_cause(words, None, &cause.word, &cause.cause);
            in_line(number, text, reason)
        }
        OpeningError::Over { number, text } => in_line(number, text, words.text("opening-over")),
        OpeningError::Offsets { number, text } => {
            in_line(number, text, words.text("opening-offsets"))
        }
        OpeningError::Record { number, why } => {
            let reason = match why {
                NoOpening::OtherGame { found, wanted } => words.with(
                    "opening-other-game",
                    [
                        ("found", found.clone().into()),
                        ("wanted", wanted.clone().into()),
                    ],
                ),
                NoOpening::OwnStart => words.text("opening-own-start"),
                NoOpening::Record(error) => wording::record(words, None, error),
            };
            words.with(
                "opening-in-game",
                [
                    ("number", number.to_string().into()),
                    ("reason", reason.into()),
                ],
            )
        }
        OpeningError::None => words.text("opening-none"),
    }
}

/// Why a tournament does not begin, or not come to its end.
pub(crate) fn tournament(words: Words, error: &ArenaError) -> String {
    match error {
        ArenaError::Player { player: who, why } => {
            let reason = match why {
                Unseated::Strategy(error) => wording::unplayable(words, error),
                Unseated::Engine(error) => engine(words, error),
            };
            player(words, who, reason)
        }
        ArenaError::Results(error) => results(words, error),
        ArenaError::Record(_) => words.text("results-no-game"),
        ArenaError::Others(what) => what.clone(),
    }
}

/// Why an engine cannot be spoken to.
pub(crate) fn engine(words: Words, error: &EngineError) -> String {
    match error {
        EngineError::Start(StartError::Empty) => words.text("command-empty"),
        EngineError::Start(StartError::Quote(text)) => with(words, "command-quote", text),
        EngineError::Start(StartError::Log { folder, cause }) => {
            wording::in_file(words, folder, wording::file(words, &(*cause).into()))
        }
        EngineError::Start(StartError::Refused { program, cause }) => {
            let reason = wording::file(words, &(*cause).into());
            words.with(
                "command-refused",
                [
                    ("program", program.clone().into()),
                    ("reason", reason.into()),
                ],
            )
        }
        EngineError::Unready { command, why } => words.with(
            "engine-unready",
            [
                ("command", command.clone().into()),
                ("why", why.clone().into()),
            ],
        ),
    }
}

/// Why results cannot be kept.
pub(crate) fn results(words: Words, error: &ResultsError) -> String {
    let in_file = |path: &Path, reason: String| wording::in_file(words, path, reason);
    match error {
        ResultsError::Io { path, cause } => in_file(path, wording::file(words, cause)),
        ResultsError::Header { path, cause } => in_file(path, header(words, cause)),
        ResultsError::Damaged {
            path,
            offset,
            bytes,
        } => {
            let values = [
                ("offset", offset.to_string().into()),
                ("bytes", bytes.to_string().into()),
            ];
            in_file(path, words.with("results-damaged", values))
        }
        ResultsError::InUse { path } => in_file(path, words.text("results-in-use")),
    }
}

fn header(words: Words, error: &HeaderError) -> String {
    match error {
        HeaderError::OtherKind(text) => with(words, "results-other-kind", text),
        HeaderError::OtherVersion(text) => with(words, "results-version", text),
        HeaderError::Syntax(line) => with(words, "results-syntax", &line.to_string()),
        HeaderError::ChangedEngine { player } => with(words, "results-changed", player),
        HeaderError::Other { key, there, here } => words.with(
            "results-other",
            [
                ("key", key.clone().into()),
                ("there", there.clone().into()),
                ("here", here.clone().into()),
            ],
        ),
    }
}

/// Why games cannot be written.
pub(crate) fn export(words: Words, error: &ExportError) -> String {
    match error {
        ExportError::Form(error) => files::file(words, error),
        ExportError::Io { path, cause } => {
            wording::in_file(words, path, wording::file(words, cause))
        }
        ExportError::Results(error) => results(words, error),
    }
}

fn with(words: Words, key: &str, text: &str) -> String {
    words.with(key, [("text", text.to_owned().into())])
}
