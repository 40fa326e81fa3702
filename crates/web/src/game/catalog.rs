//! Cache of games by name; constructing one computes its line tables.

use papan_catalog::{AnyGame, GameError};
use papan_pages::Games;
use quick_cache::sync::Cache;

/// Maximum number of cached games.
const CAPACITY: usize = 64;

/// Games by name. Live games share their values.
pub(crate) struct GameCatalog(Cache<String, AnyGame>);

impl Default for GameCatalog {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl Games for GameCatalog {
    fn get(&self, name: &str) -> Result<AnyGame, GameError> {
        self.0.get_or_insert_with(name, || name.parse())
    }
}
