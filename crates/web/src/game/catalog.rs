//! Cache of games by name; constructing one computes its line tables.

use papan_catalog::{AnyGame, GameError};
use papan_view::{Messages, messages};
use quick_cache::sync::Cache;

use crate::http::rejection::Rejection;

/// Maximum number of cached games.
const CAPACITY: usize = 64;

/// Games by name. Live games share their values.
pub(crate) struct GameCatalog(Cache<String, AnyGame>);

impl Default for GameCatalog {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl GameCatalog {
    /// Returns the game of a name.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn get(&self, name: &str) -> Result<AnyGame, GameError> {
        self.0.get_or_insert_with(name, || name.parse())
    }

    /// Returns the game that a client named.
    ///
    /// # Errors
    /// If there is no such game, with a localized reason.
    pub(crate) fn parse(&self, name: &str, words: Messages) -> Result<AnyGame, Rejection> {
        self.get(name)
            .map_err(|error| Rejection::Unusable(messages::game(words, &error)))
    }
}
