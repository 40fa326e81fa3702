//! Data and configuration directories: XDG Base Directories, Known Folders on Windows.
//!
//! The terminal, the command line, the server and the opening book all keep files; this is the one
//! place that decides where. An environment variable of papan's own overrides the platform's
//! convention, for services and tests.
//!
//! Reference: <https://specifications.freedesktop.org/basedir-spec/latest/>

use std::ffi::OsString;
use std::path::PathBuf;

use etcetera::{BaseStrategy, choose_base_strategy};

/// Overrides the data directory.
pub const DATA_DIR: &str = "PAPAN_DATA_DIR";
/// Older name of [`DATA_DIR`], read where that is not set.
pub const OLD_DATA_DIR: &str = "PAPAN_DATA";
/// Overrides the configuration directory.
pub const CONFIG_DIR: &str = "PAPAN_CONFIG_DIR";

/// Returns the directory for games, books and databases: `PAPAN_DATA_DIR`, else `PAPAN_DATA`, else
/// `papan` in the user's data directory. `None` if the user has no home directory.
#[must_use]
pub fn data_dir() -> Option<PathBuf> {
    overridden(&[DATA_DIR, OLD_DATA_DIR], |name| std::env::var_os(name))
        .or_else(|| Some(choose_base_strategy().ok()?.data_dir().join("papan")))
}

/// Returns the directory for settings: `PAPAN_CONFIG_DIR`, else `papan` in the user's
/// configuration directory. `None` if the user has no home directory.
#[must_use]
pub fn config_dir() -> Option<PathBuf> {
    overridden(&[CONFIG_DIR], |name| std::env::var_os(name))
        .or_else(|| Some(choose_base_strategy().ok()?.config_dir().join("papan")))
}

/// Returns the value of the first variable that is set and not empty.
fn overridden(names: &[&str], variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let mut values = names.iter().filter_map(|name| variable(name));
    values.find(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newer_variable_wins_and_an_empty_one_does_not_count() {
        let with = |new: Option<&str>, old: Option<&str>| {
            let value = |name: &str| match name {
                DATA_DIR => new.map(OsString::from),
                OLD_DATA_DIR => old.map(OsString::from),
                _ => None,
            };
            overridden(&[DATA_DIR, OLD_DATA_DIR], value)
        };
        assert_eq!(with(Some("/new"), Some("/old")), Some("/new".into()));
        assert_eq!(with(None, Some("/old")), Some("/old".into()));
        assert_eq!(with(Some(""), Some("/old")), Some("/old".into()));
        assert_eq!(with(None, Some("")), None);
    }
}
