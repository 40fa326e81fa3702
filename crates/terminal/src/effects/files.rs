//! Records and settings on the disk.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use papan_files::write_whole;

use crate::settings::Settings;

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
/// With the file and the reason, when there is one that cannot be read.
pub fn recall() -> Result<Settings, (String, String)> {
    let Some(path) = settings_file() else {
        return Ok(Settings::default());
    };
    let name = path.display().to_string();
    match fs::read_to_string(&path) {
        Ok(text) => Settings::parse(&text).map_err(|reason| (name, reason)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => Err((name, error.to_string())),
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
/// With the reason.
pub fn save(path: &str, text: &str) -> Result<(), String> {
    let mut file = fs::File::create_new(path).map_err(|error| error.to_string())?;
    file.write_all(text.as_bytes())
        .map_err(|error| error.to_string())
}

/// The largest file that can be a record.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a file.
///
/// # Errors
/// With the reason.
pub fn open(path: &str) -> Result<String, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    // A device or a pipe could keep the board waiting for ever.
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err("not a record".into());
    }
    fs::read_to_string(path).map_err(|error| error.to_string())
}
