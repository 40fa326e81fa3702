//! Localized messages for the errors of tournaments and engines.
//!
//! They are here and not in `papan_view::messages` because `papan-arena` depends on `papan-view`.

use std::path::Path;

use papan_arena::export::ExportError;
use papan_arena::openings::{OpeningError, OpeningRecordError};
use papan_arena::results::{HeaderError, ResultsError};
use papan_arena::{ArenaError, EntrantError, EntrantOptionError, SeatError};
use papan_protocol::limits::LimitError;
use papan_protocol::{EngineError, SettingError, StartError};
use papan_view::{Messages, messages};

use papan_view::messages::files;

/// Describes an invalid participant.
pub(crate) fn entrant(words: Messages, error: &EntrantError) -> String {
    match error {
        EntrantError::Player(error) => {
            let reason = messages::player(words, error);
            words.with("entrant-player", [("reason", reason.into())])
        }
        EntrantError::Limits { text, cause } => player(words, text, term(words, cause)),
        EntrantError::Settings(text) => player(words, text, words.text("entrant-settings")),
        EntrantError::NoCommand(text) => player(words, text, words.text("entrant-no-command")),
    }
}

fn player(words: Messages, player: &str, reason: String) -> String {
    let player = player.to_owned();
    words.with(
        "entrant-in",
        [("player", player.into()), ("reason", reason.into())],
    )
}

fn term(words: Messages, error: &EntrantOptionError) -> String {
    match error {
        EntrantOptionError::Limit(error) => limit(words, error),
        EntrantOptionError::Setting(error) => setting(words, error),
        EntrantOptionError::Quote(text) => with(words, "command-quote", text),
    }
}

/// Describes an invalid limit.
pub(crate) fn limit(words: Messages, error: &LimitError) -> String {
    match error {
        LimitError::Time(error) => messages::time(words, error),
        LimitError::Number(text) => with(words, "limit-number", text),
        LimitError::Key(text) => with(words, "limit-key", text),
    }
}

fn setting(words: Messages, error: &SettingError) -> String {
    match error {
        SettingError::Key(text) => with(words, "setting-key", text),
        SettingError::Value { key, value, .. } => {
            let text = format!("{key}={value}");
            with(words, &format!("setting-{key}"), &text)
        }
    }
}

/// Describes an invalid opening.
pub(crate) fn opening(words: Messages, error: &OpeningError) -> String {
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
            let reason = messages::line_cause(words, None, &cause.word, &cause.cause);
            in_line(number, text, reason)
        }
        OpeningError::Over { number, text } => in_line(number, text, words.text("opening-over")),
        OpeningError::Offsets { number, text } => {
            in_line(number, text, words.text("opening-offsets"))
        }
        OpeningError::Record { number, why } => {
            let reason = match why {
                OpeningRecordError::OtherGame { found, wanted } => words.with(
                    "opening-other-game",
                    [
                        ("found", found.clone().into()),
                        ("wanted", wanted.clone().into()),
                    ],
                ),
                OpeningRecordError::OwnStart => words.text("opening-own-start"),
                OpeningRecordError::Record(error) => messages::record(words, None, error),
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

/// Describes why a tournament cannot be started or finished.
pub(crate) fn tournament(words: Messages, error: &ArenaError) -> String {
    match error {
        ArenaError::Player { player: who, why } => {
            let reason = match why {
                SeatError::Strategy(error) => messages::unplayable(words, error),
                SeatError::Engine(error) => engine(words, error),
                SeatError::Swap(rule) => with(words, "arena-no-swap", rule.name()),
            };
            player(words, who, reason)
        }
        ArenaError::Results(error) => results(words, error),
        ArenaError::Record(_) => words.text("results-no-game"),
        ArenaError::Jobs(error) => error.to_string(),
    }
}

/// Describes why an engine cannot be used.
pub(crate) fn engine(words: Messages, error: &EngineError) -> String {
    match error {
        EngineError::Start(StartError::Empty) => words.text("command-empty"),
        EngineError::Start(StartError::Quote(text)) => with(words, "command-quote", text),
        EngineError::Start(StartError::Log { folder, cause }) => {
            messages::in_file(words, folder, messages::file(words, &(*cause).into()))
        }
        EngineError::Start(StartError::Refused { program, cause }) => {
            let reason = messages::file(words, &(*cause).into());
            words.with(
                "command-refused",
                [
                    ("program", program.clone().into()),
                    ("reason", reason.into()),
                ],
            )
        }
        EngineError::NotReady { command, why } => words.with(
            "engine-unready",
            [
                ("command", command.clone().into()),
                ("why", why.clone().into()),
            ],
        ),
    }
}

/// Describes why results cannot be read or written.
pub(crate) fn results(words: Messages, error: &ResultsError) -> String {
    let in_file = |path: &Path, reason: String| messages::in_file(words, path, reason);
    match error {
        ResultsError::Io { path, cause } => in_file(path, messages::file(words, cause)),
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

fn header(words: Messages, error: &HeaderError) -> String {
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

/// Describes why games cannot be exported.
pub(crate) fn export(words: Messages, error: &ExportError) -> String {
    match error {
        ExportError::Form(error) => files::file(words, error),
        ExportError::Io { path, cause } => {
            messages::in_file(words, path, messages::file(words, cause))
        }
        ExportError::Results(error) => results(words, error),
    }
}

fn with(words: Messages, key: &str, text: &str) -> String {
    words.with(key, [("text", text.to_owned().into())])
}
