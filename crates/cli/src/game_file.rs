//! Files of games: any kind that papan reads, from a path or standard input.

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use papan_catalog::AnyGame;
use papan_files::{Collection, wthor};

use crate::output::tell;

/// Standard input, where a program would expect it.
pub(crate) const STANDARD: &str = "-";

/// The games of a file; `-` is standard input. The names of a WTHOR database are looked for
/// beside it.
pub(crate) fn load(path: &str, game: Option<&AnyGame>) -> anyhow::Result<Collection> {
    let bytes = bytes(path)?;
    let mut file = papan_files::read(&bytes, game).with_context(|| path.to_owned())?;
    if let Some(database) = wthor::Database::new(&bytes) {
        let players = beside(path, "jou").map(|bytes| wthor::players(&bytes));
        let tournaments = beside(path, "trn").map(|bytes| wthor::tournaments(&bytes));
        let named = database.records(players.as_deref(), tournaments.as_deref());
        file.records = named.into_iter().filter_map(Result::ok).collect();
    }
    Ok(file)
}

/// What a path or standard input holds.
pub(crate) fn bytes(path: &str) -> anyhow::Result<Vec<u8>> {
    if path == STANDARD {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .context("standard input")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| path.to_owned())
}

/// The first file with that ending in the folder of `path`, in either case of letters.
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

/// Says on standard error what could not be read.
pub(crate) fn tell_faults(path: &str, file: &Collection) {
    const SHOWN: usize = 10;
    let name = if path == STANDARD {
        "standard input"
    } else {
        path
    };
    for fault in file.faults.iter().take(SHOWN) {
        tell(format_args!("{name}: {fault}"));
    }
    if let Some(more) = file.faults.len().checked_sub(SHOWN + 1) {
        tell(format_args!("{name}: and {} more", more + 1));
    }
    if !file.faults.is_empty() {
        tell(format_args!(
            "{name}: {} of {} could not be read",
            file.faults.len(),
            file.faults.len() + file.records.len()
        ));
    }
}
