//! Names of games: a family, then a size.

use std::str::FromStr;

use papan_rules::{GridError, OthelloError};

use crate::suggestion::{closest_match, did_you_mean};
use crate::{AnyGame, FAMILIES, FamilyEntry};

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
        let is_named =
            |entry: &&FamilyEntry| entry.name == word || entry.aliases.contains(&word.as_str());
        match FAMILIES.iter().find(is_named) {
            Some(entry) => (entry.read)(name, size.unwrap_or(entry.suggested[0])),
            None => Err(GameError::UnknownFamily {
                word: family.into(),
                suggestion: closest_family(&word),
            }),
        }
    }
}

/// Returns the family whose name, or other name, is most similar to a word.
fn closest_family(word: &str) -> Option<&'static str> {
    let names = FAMILIES
        .iter()
        .flat_map(|family| std::iter::once(family.name).chain(family.aliases.iter().copied()));
    let closest = closest_match(word, names)?;
    let has_name =
        |family: &&FamilyEntry| family.name == closest || family.aliases.contains(&closest);
    FAMILIES.iter().find(has_name).map(|family| family.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_rules_of_gomoku_are_read() {
        let name = |text: &str| text.parse::<AnyGame>().map(|game| game.name());
        for (text, expected) in [
            ("gomoku", "gomoku"),
            ("Gomoku:15x15", "gomoku"),
            ("gomoku:20", "gomoku:20x20"),
            ("gomoku:standard", "gomoku:standard"),
            ("gomoku:20x20:caro", "gomoku:20x20:caro"),
            ("gomoku:renju", "renju"),
            ("renju", "renju"),
            ("connect5", "gomoku"),
            ("reversi", "othello"),
            ("reversi:6x6", "othello:6x6"),
            ("tic-tac-toe", "tictactoe"),
        ] {
            assert_eq!(name(text).as_deref(), Ok(expected), "{text}");
        }
        for text in [
            "gomoku:4x4",
            "gomoku:15x16",
            "gomoku:21",
            "gomoku:caro:15x15",
            "renju:x",
        ] {
            assert!(matches!(name(text), Err(GameError::Size { .. })), "{text}");
        }
        let suggestion = |text: &str| match name(text) {
            Err(GameError::UnknownFamily { suggestion, .. }) => suggestion,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(suggestion("gomuku"), Some("gomoku"));
        assert_eq!(suggestion("reversie"), Some("othello"));
        assert_eq!(suggestion("conect5"), Some("gomoku"));
    }
}
