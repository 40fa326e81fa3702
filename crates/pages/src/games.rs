//! Games by name.

use papan_catalog::{AnyGame, GameError};
use papan_view::{Messages, messages};

use crate::error::PageError;

/// A source of games: a server caches them, because constructing one computes its line tables.
pub trait Games {
    /// Returns the game of a name.
    ///
    /// # Errors
    /// If there is no such game.
    fn get(&self, name: &str) -> Result<AnyGame, GameError>;

    /// Returns the game that a visitor named.
    ///
    /// # Errors
    /// If there is no such game, with a localized reason.
    fn parse(&self, name: &str, words: Messages) -> Result<AnyGame, PageError> {
        self.get(name)
            .map_err(|error| PageError::Unusable(messages::game(words, &error)))
    }
}

/// Constructs each game anew.
#[derive(Clone, Copy, Debug, Default)]
pub struct FreshGames;

impl Games for FreshGames {
    fn get(&self, name: &str) -> Result<AnyGame, GameError> {
        name.parse()
    }
}
