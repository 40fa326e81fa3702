//! Reading game files of any supported format, from a path or from standard input.

use std::io::Read as _;
use std::path::Path;

use papan_catalog::AnyGame;
use papan_files::{Collection, wthor};
use papan_view::{Messages, messages};

use crate::output::{STANDARD, status};
use papan_view::messages::files;

/// Reads the games of a file; `-` is standard input. For a WTHOR database, the names of players
/// and tournaments are read from the `.JOU` and `.TRN` files in the same directory.
pub(crate) fn load(
    path: &str,
    game: Option<&AnyGame>,
    words: Messages,
) -> anyhow::Result<Collection> {
    let bytes = bytes(path, words)?;
    let mut file = read(path, &bytes, game, words)?;
    if let Some(database) = wthor::Database::new(&bytes) {
        let players = beside(path, "jou").map(|bytes| wthor::players(&bytes));
        let tournaments = beside(path, "trn").map(|bytes| wthor::tournaments(&bytes));
        let named = database.records(players.as_deref(), tournaments.as_deref());
        file.records = named.into_iter().filter_map(Result::ok).collect();
    }
    Ok(file)
}

/// Reads a file or standard input.
pub(crate) fn bytes(path: &str, words: Messages) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match path {
        STANDARD => std::io::stdin().read_to_end(&mut bytes).map(drop),
        path => std::fs::read(path).map(|content| bytes = content),
    };
    match read {
        Ok(()) => Ok(bytes),
        Err(cause) => Err(error(path, words, &messages::file(words, &cause))),
    }
}

/// Reads a UTF-8 text file or standard input.
pub(crate) fn text(path: &str, words: Messages) -> anyhow::Result<String> {
    let bytes = bytes(path, words)?;
    String::from_utf8(bytes).map_err(|_| error(path, words, &words.text("file-not-text")))
}

/// Parses the contents of a game file.
pub(crate) fn read(
    path: &str,
    bytes: &[u8],
    game: Option<&AnyGame>,
    words: Messages,
) -> anyhow::Result<Collection> {
    papan_files::read(bytes, game).map_err(|cause| error(path, words, &files::file(words, &cause)))
}

/// Returns an error about a file.
pub(crate) fn error(path: &str, words: Messages, reason: &str) -> anyhow::Error {
    anyhow::Error::msg(format!("{}: {reason}", name(path, words)))
}

fn name(path: &str, words: Messages) -> String {
    match path {
        STANDARD => words.text("standard-input"),
        path => path.to_owned(),
    }
}

/// Reads the first file with this extension, in upper or lower case, in the directory of `path`.
pub(crate) fn beside(path: &str, ending: &str) -> Option<Vec<u8>> {
    let folder = Path::new(path).parent()?;
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(ending))
        })
        .collect();
    found.sort();
    std::fs::read(found.first()?).ok()
}

/// Reports the games of a file that could not be parsed.
pub(crate) fn report_faults(path: &str, file: &Collection, words: Messages) {
    const MAX_REPORTED: usize = 10;
    let name = name(path, words);
    for fault in file.faults.iter().take(MAX_REPORTED) {
        let fault = files::fault(words, fault);
        status(format_args!("{name}: {fault}"));
    }
    let bad = file.faults.len();
    if bad > MAX_REPORTED {
        let count = (bad - MAX_REPORTED).to_string();
        let more = words.with("file-more-faults", [("count", count.into())]);
        status(format_args!("{name}: {more}"));
    }
    if bad > 0 {
        let all = bad + file.records.len();
        let values = [
            ("bad", bad.to_string().into()),
            ("all", all.to_string().into()),
        ];
        let unreadable = words.with("file-unreadable", values);
        status(format_args!("{name}: {unreadable}"));
    }
}
