//! Game records and settings on disk.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use papan_catalog::dirs;
use papan_files::write_atomic;
use papan_rules::{Record, RecordResult};

use crate::settings::{Settings, SettingsError};
use crate::start_page::SavedGame;

/// Returns the directory of saved games: `games` in the data directory.
#[must_use]
pub(crate) fn games_dir() -> Option<PathBuf> {
    dirs::data_dir().map(|data| data.join("games"))
}

/// Returns the game that was saved last, if it is unfinished.
#[must_use]
pub(crate) fn unfinished(games: &Path) -> Option<SavedGame> {
    let names = fs::read_dir(games).ok()?.flatten();
    let files = names.map(|entry| entry.path());
    let newest = files
        .filter(|path| path.extension().is_some_and(|e| e == "papan"))
        .max()?;
    let path = newest.to_str()?.to_owned();
    let record = Record::parse(&open(&path).ok()?).ok()?;
    (record.result == RecordResult::Unfinished).then_some(SavedGame { path, record })
}

/// Writes a record atomically, replacing an older one; creates its directory if needed.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_record(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_atomic(path, text.as_bytes())
}

fn settings_file() -> Option<PathBuf> {
    dirs::config_dir().map(|dir| dir.join("terminal.settings"))
}

/// Reads the settings file; returns the defaults if there is none.
///
/// # Errors
/// Returns the path and the reason when the file exists and cannot be read.
pub(crate) fn load_settings() -> Result<Settings, (PathBuf, SettingsError)> {
    let Some(path) = settings_file() else {
        return Ok(Settings::default());
    };
    match fs::read_to_string(&path) {
        Ok(text) => Settings::parse(&text).map_err(|error| (path, error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => Err((path, SettingsError::Unreadable(error.kind()))),
    }
}

/// Writes the settings file. A failure is ignored, because it must not interrupt a game.
pub(crate) fn save_settings(settings: &Settings) {
    let Some(path) = settings_file() else { return };
    if let Some(dir) = path.parent() {
        let _ =
            fs::create_dir_all(dir).and_then(|()| write_atomic(&path, settings.text().as_bytes()));
    }
}

/// Writes a new file; does not overwrite an existing one.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn save(path: &str, text: &str) -> io::Result<()> {
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// Maximum size of a record file.
const MAX_RECORD_BYTES: u64 = 1 << 20;

/// Reads a file.
///
/// # Errors
/// When it cannot be read, is not a regular file, or is too large for a record.
pub(crate) fn open(path: &str) -> io::Result<String> {
    let about = fs::metadata(path)?;
    // Reading a device or a pipe could block for ever.
    let wrong = match about.file_type() {
        kind if kind.is_dir() => Some(io::ErrorKind::IsADirectory),
        kind if !kind.is_file() => Some(io::ErrorKind::InvalidInput),
        _ if about.len() > MAX_RECORD_BYTES => Some(io::ErrorKind::FileTooLarge),
        _ => None,
    };
    match wrong {
        Some(kind) => Err(kind.into()),
        None => fs::read_to_string(path),
    }
}
