//! The registry of live games: games in memory by id, loaded on demand.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use papan_rules::SwapRule;
use papan_store::{GameStore, GameSummary, NewGame, StoredEvent, StoredGame};
use parking_lot::Mutex;

use crate::game::catalog::GameCatalog;
use crate::game::commands::Commands;
use crate::game::event::Event;
use crate::game::live_game::{ChangeSender, LiveGame};
use crate::game::state::GameState;
use crate::http::rejection::Rejection;
use crate::http::secret::is_game_id;
use papan_pages::Games as _;
use papan_view::BoardView;

/// Games in memory.
pub(crate) struct GameRegistry {
    store: Arc<dyn GameStore>,
    catalog: Arc<GameCatalog>,
    commands: Arc<Commands>,
    changes: ChangeSender,
    games: Mutex<HashMap<String, Arc<LiveGame>>>,
}

impl GameRegistry {
    /// Creates an empty registry whose games report to `changes`.
    pub(crate) fn new(
        catalog: Arc<GameCatalog>,
        commands: Arc<Commands>,
        changes: ChangeSender,
    ) -> Self {
        Self {
            store: Arc::clone(&commands.store),
            catalog,
            commands,
            changes,
            games: Mutex::default(),
        }
    }

    /// Stores a new game.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) async fn create(
        &self,
        game: NewGame,
        opening_rule: Option<SwapRule>,
        address: IpAddr,
    ) -> Result<Arc<LiveGame>, Rejection> {
        self.store.create(game.clone()).await?;
        self.commands.metrics.game_created();
        let mut stored = StoredGame {
            game,
            events: Vec::new(),
        };
        // Stored before the game is visible, so that no move precedes it.
        if let Some(rule) = opening_rule {
            let event = Event::OpeningRule {
                rule: rule.to_string(),
            };
            let event = StoredEvent {
                at: stored.game.created_at,
                ..StoredEvent::new(1, event.to_json())
            };
            stored.events.push(event.clone());
            let rules = self.catalog.get(&stored.game.rules);
            let rules = rules.map_err(|_| Rejection::Internal)?;
            let standing =
                GameState::replay(&rules, &self.commands.programs, &stored, 1)?.standing();
            let id = &stored.game.id;
            self.store.append(id, event, standing).await?;
        }
        self.insert(stored, address)
    }

    fn insert(&self, stored: StoredGame, address: IpAddr) -> Result<Arc<LiveGame>, Rejection> {
        let id = stored.game.id.clone();
        let rules = self
            .catalog
            .get(&papan_rules::stored_game_name(&stored.game.rules))
            .map_err(|error| {
                tracing::error!(%error, game = id, "a stored game has unknown rules");
                Rejection::Internal
            })?;
        let game = LiveGame::new(
            rules,
            &self.commands.programs,
            stored,
            address,
            self.changes.clone(),
        )?;
        // A concurrent request may have loaded the same game first.
        let game = Arc::clone(self.games.lock().entry(id).or_insert(Arc::new(game)));
        game.notify();
        Ok(game)
    }

    /// Returns a game, loading it if needed, after flagging a lost clock.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) async fn get(&self, id: &str, address: IpAddr) -> Result<Arc<LiveGame>, Rejection> {
        let game = match self.find(id) {
            Some(game) => game,
            None => self.load(id, address).await?,
        };
        self.commands.claim_timeout(&game).await?;
        Ok(game)
    }

    /// Returns the discs of both players at the end of a game, or `None` where discs did not decide it.
    /// The game is not kept in memory.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub(crate) async fn final_score(
        &self,
        game: &GameSummary,
    ) -> Result<Option<[usize; 2]>, Rejection> {
        let Ok(rules) = self
            .catalog
            .get(&papan_rules::stored_game_name(&game.rules))
        else {
            return Ok(None);
        };
        if !rules.properties().score_unit.is_discs() {
            return Ok(None);
        }
        let line = match self.find(&game.id) {
            Some(live) => live.state().line.clone_line(),
            None => {
                let Some(stored) = self.store.load(&game.id).await? else {
                    return Ok(None);
                };
                let last = stored.events.len() as u64;
                GameState::replay(&rules, &self.commands.programs, &stored, last)?.line
            }
        };
        // A resigned game has no final count.
        let is_played_out = line.outcome().is_some();
        Ok(is_played_out.then(|| BoardView::of(&*line).counts))
    }

    async fn load(&self, id: &str, address: IpAddr) -> Result<Arc<LiveGame>, Rejection> {
        if !is_game_id(id) {
            return Err(Rejection::NotFound);
        }
        let stored = self.store.load(id).await?.ok_or(Rejection::NotFound)?;
        let game = self.insert(stored, address)?;
        if self.store.is_shared() {
            self.recheck_version(&game).await?;
        }
        Ok(game)
    }

    /// Re-checks the version: notifications sent between load and insert were missed.
    async fn recheck_version(&self, game: &Arc<LiveGame>) -> Result<(), Rejection> {
        let id = std::slice::from_ref(&game.header.id);
        let versions = self.store.versions(id).await?;
        let newest = versions.first().map_or(0, |(_, newest)| *newest);
        if newest > game.state().version {
            self.commands.resync(game).await?;
        }
        Ok(())
    }

    /// Returns a game that is in memory.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<LiveGame>> {
        let mut games = self.games.lock();
        let game = games.get(id)?;
        if game.is_deleted() {
            games.remove(id);
            return None;
        }
        Some(Arc::clone(game))
    }

    /// Returns all games in memory.
    pub(crate) fn all(&self) -> Vec<Arc<LiveGame>> {
        self.games.lock().values().cloned().collect()
    }

    /// Returns the public games in memory, newest first.
    pub(crate) fn listed(&self) -> Vec<Arc<LiveGame>> {
        let mut listed = self.all();
        listed.retain(|game| game.header.listed && !game.is_deleted());
        listed.sort_by_key(|game| std::cmp::Reverse(game.header.created_at));
        listed
    }

    /// Removes games that are no longer stored.
    pub(crate) fn evict(&self, ids: &[String]) {
        let mut games = self.games.lock();
        for id in ids {
            games.remove(id);
        }
    }

    /// Removes games that are not in use and have not changed since `before`.
    pub(crate) fn evict_idle(&self, before: i64) {
        // A second reference means a request, a stream or a search.
        self.games
            .lock()
            .retain(|_, game| Arc::strong_count(game) > 1 || game.state().at > before);
    }

    /// Returns the number of games and of event streams.
    #[must_use]
    pub(crate) fn counts(&self) -> (usize, usize) {
        let games = self.games.lock();
        let streams = games.values().map(|game| game.followers()).sum();
        (games.len(), streams)
    }
}
