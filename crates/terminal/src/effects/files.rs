//! Records and settings on the disk.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use papan_files::write_whole;

use crate::settings::{Settings, SettingsError};

/// The directory of papan's configuration: `PAPAN_CONFIG_DIR`, or `papan` in the
/// XDG configuration directory.
#[must_use]
pub fn config_dir() -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    given("PAPAN_CONFIG_DIR")
        .map(PathBuf::from)
        .or_else(|| given("XDG_CONFIG_HOME").map(|dir| PathBuf::from(dir).join("papan")))
        .or_else(|| given("HOME").map(|home| PathBuf::from(home).join(".config/papan")))
}

fn settings_file() -> Option<PathBuf> {
    config_dir().map(|dir| dir.join("terminal.settings"))
}

/// The settings of the last time; the defaults the first time.
///
/// # Errors
/// With the file, when there is one that cannot be read.
pub fn recall() -> Result<Settings, (PathBuf, SettingsError)> {
    let Some(path) = settings_file() else {
        return Ok(Settings::default());
    };
    match fs::read_to_string(&path) {
        Ok(text) => Settings::parse(&text).map_err(|error| (path, error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => Err((path, SettingsError::Unreadable(error.kind()))),
    }
}

/// Keeps the settings for the next time. That they could not be kept is no reason
/// to disturb a game.
pub fn remember(settings: &Settings) {
    let Some(path) = settings_file() else { return };
    if let Some(dir) = path.parent() {
        let _ =
            fs::create_dir_all(dir).and_then(|()| write_whole(&path, settings.text().as_bytes()));
    }
}

/// Writes a new file. One that is there already is left alone.
///
/// # Errors
/// When it cannot be written.
pub fn save(path: &str, text: &str) -> io::Result<()> {
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// The largest file that can be a record.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a file.
///
/// # Errors
/// When it cannot be read, is no file, or too large to be a record.
pub fn open(path: &str) -> io::Result<String> {
    let about = fs::metadata(path)?;
    // A device or a pipe could keep the board waiting for ever.
    let wrong = match about.file_type() {
        kind if kind.is_dir() => Some(io::ErrorKind::IsADirectory),
        kind if !kind.is_file() => Some(io::ErrorKind::InvalidInput),
        _ if about.len() > MOST_BYTES => Some(io::ErrorKind::FileTooLarge),
        _ => None,
    };
    match wrong {
        Some(kind) => Err(kind.into()),
        None => fs::read_to_string(path),
    }
}
