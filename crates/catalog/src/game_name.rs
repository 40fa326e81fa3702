//! Names of games: a family, then a size.

use std::str::FromStr;

use papan_rules::{GridError, OthelloError};

use crate::suggestion::{closest_match, did_you_mean};
use crate::{AnyGame, FAMILIES};

/// Why a text names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// No family has that name.
    #[error("there is no game `{word}`{}", did_you_mean(*suggestion))]
    UnknownFamily {
        /// The text.
        word: String,
        /// The most similar family.
        suggestion: Option<&'static str>,
    },
    /// The grid cannot be so.
    #[error("in `{name}`, after the colon: {cause}")]
    Grid {
        /// The text.
        name: String,
        /// The error.
        cause: GridError,
    },
    /// Othello cannot be so.
    #[error("in `{name}`, after the colon: {cause}")]
    Othello {
        /// The text.
        name: String,
        /// The error.
        cause: OthelloError,
    },
    /// No game of the family has that size.
    #[error("in `{name}`, after the colon: `{size}` is no size; write {expected}")]
    Size {
        /// The text.
        name: String,
        /// The text after the colon.
        size: String,
        /// The expected form.
        expected: &'static str,
    },
}

impl GameError {
    /// For a family without an error of its own: no game has that size.
    #[must_use]
    pub fn size(name: &str, size: &str, expected: &'static str) -> Self {
        Self::Size {
            name: name.into(),
            size: size.into(),
            expected,
        }
    }
}

impl FromStr for AnyGame {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let name = text.trim();
        let (family, size) = match name.split_once(':') {
            Some((family, size)) => (family, Some(size)),
            None => (name, None),
        };
        let word = family.to_ascii_lowercase();
        match FAMILIES.iter().find(|entry| entry.name == word) {
            Some(entry) => (entry.read)(name, size.unwrap_or(entry.suggested[0])),
            None => Err(GameError::UnknownFamily {
                word: family.into(),
                suggestion: closest_match(&word, FAMILIES.iter().map(|family| family.name)),
            }),
        }
    }
}
