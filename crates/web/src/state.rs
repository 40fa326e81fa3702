//! Every live game: finding it, acting in it, letting strategies answer.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_store::{GameStore, NewGame, Run, StoreError, StoredGame};
use tokio::sync::watch;

use crate::admin::metrics::Metrics;
use crate::analysis::engine_pool::{EnginePool, PoolLimits};
use crate::analysis::proofs::Proofs;
use crate::analysis::remote::RemoteWorkers;
use crate::analysis::service::Studies;
use crate::game::cluster::PeerUsage;
use crate::game::live_game::LiveGame;
use crate::game::state::GameState;
use crate::http::identity::IdentityLinks;
use crate::http::page_cache::PageCache;
use crate::http::rate_limit::{Permits, TokenBuckets};
use crate::http::rejection::Rejection;
use crate::http::secret::is_game_id;
use crate::settings::Settings;
use crate::wall_clock::WallClock;

/// Games of the catalog that are kept ready; building one costs its line tables.
const GAMES_KEPT: usize = 64;

/// What one address may do, and has open.
#[derive(Debug)]
pub(crate) struct RateLimits {
    /// Pages that cost something to make.
    pub(crate) pages: TokenBuckets,
    /// Requests that change something.
    pub changes: TokenBuckets,
    /// Requests for engine work.
    pub(crate) studies: TokenBuckets,
    /// Open connections.
    pub connections: Permits,
    /// Open event streams.
    pub streams: Permits,
}

/// Every live game.
pub struct AppState {
    /// What an operator set.
    pub settings: Settings,
    /// Where games are kept.
    pub store: Arc<dyn GameStore>,
    /// The threads that think.
    pub(crate) pool: Arc<EnginePool>,
    /// What is counted.
    pub(crate) metrics: Metrics,
    /// What one address may do, and has open.
    pub(crate) gates: RateLimits,
    /// Long work that visitors come back to.
    pub(crate) studies: Studies,
    /// Proofs that visitors come back to.
    pub(crate) proofs: Proofs,
    /// Who else can do long work.
    pub(crate) workers: Option<RemoteWorkers>,
    /// Pages that were made before.
    pub(crate) pages: PageCache,
    /// One costly page is made at a time, so that a thread is left for the moves.
    pub(crate) page_turn: tokio::sync::Semaphore,
    /// Links that take a client's identity to another device.
    pub(crate) identities: IdentityLinks,
    /// What visitors have under way at other servers.
    pub(crate) elsewhere: PeerUsage,
    calendar: Arc<dyn WallClock>,
    pub(crate) rooms: Mutex<HashMap<String, Arc<LiveGame>>>,
    pub(crate) games: Mutex<HashMap<String, AnyGame>>,
    pub(crate) runs: RwLock<Vec<Run>>,
    stopping: watch::Sender<bool>,
}

impl AppState {
    /// A app over a store, which lives by a calendar. It notes that the server is up
    /// from now on.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn open(
        settings: Settings,
        store: Arc<dyn GameStore>,
        calendar: Arc<dyn WallClock>,
    ) -> Result<Arc<Self>, StoreError> {
        let began_at = calendar.date();
        let own = Run {
            began_at,
            alive_at: began_at,
        };
        store.beat(own).await?;
        let mut runs = store.runs().await?;
        if store.is_shared() {
            runs = crate::game::cluster::served(runs, own);
        }
        let pool = EnginePool::new(PoolLimits {
            threads: settings.engine_threads,
            for_moves: 2,
            waiting: 1024,
            per_address: settings.engine_waiting_per_visitor,
            memory: settings.engine_memory,
        });
        Ok(Arc::new(Self {
            workers: RemoteWorkers::of(&settings, &*store),
            store,
            pool: Arc::new(pool),
            metrics: Metrics::default(),
            gates: RateLimits {
                changes: TokenBuckets::new(settings.changes_per_second),
                studies: TokenBuckets::new(settings.studies_per_second),
                pages: TokenBuckets::new(settings.pages_per_second),
                connections: Permits::default(),
                streams: Permits::default(),
            },
            studies: Studies::default(),
            proofs: Proofs::default(),
            pages: PageCache::default(),
            page_turn: tokio::sync::Semaphore::new(1),
            identities: IdentityLinks::default(),
            elsewhere: PeerUsage::default(),
            settings,
            calendar,
            rooms: Mutex::default(),
            games: Mutex::default(),
            runs: RwLock::new(runs),
            stopping: watch::Sender::new(false),
        }))
    }

    /// The time, for rates and waits.
    pub(crate) fn now(&self) -> Duration {
        self.calendar.now()
    }

    /// Milliseconds since 1970, for what is stored.
    pub(crate) fn date(&self) -> i64 {
        self.calendar.date()
    }

    /// A game of the catalog. Different rooms share one value.
    ///
    /// # Errors
    /// When there is no game of that name.
    pub(crate) fn game(&self, name: &str) -> Result<AnyGame, papan_catalog::GameError> {
        if let Some(game) = self.games.lock().expect("no panic inside").get(name) {
            return Ok(game.clone());
        }
        let game: AnyGame = name.parse()?;
        let mut games = self.games.lock().expect("no panic inside");
        if games.len() >= GAMES_KEPT {
            games.clear();
        }
        Ok(games.entry(name.to_owned()).or_insert(game).clone())
    }

    /// Begins a game.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub(crate) async fn create(
        self: &Arc<Self>,
        game: NewGame,
        address: IpAddr,
    ) -> Result<Arc<LiveGame>, Rejection> {
        self.store.create(game.clone()).await?;
        self.metrics.games.add(1);
        let stored = StoredGame {
            game,
            events: Vec::new(),
        };
        self.install(stored, address)
    }

    fn install(
        self: &Arc<Self>,
        stored: StoredGame,
        address: IpAddr,
    ) -> Result<Arc<LiveGame>, Rejection> {
        let id = stored.game.id.clone();
        let game = self.game(&stored.game.rules).map_err(|error| {
            tracing::error!(%error, game = id, "a stored game has unknown rules");
            Rejection::Broken
        })?;
        let room = Arc::new(LiveGame::new(game, stored, address)?);
        let mut rooms = self.rooms.lock().expect("no panic inside");
        // Whoever loaded the same game a moment earlier was first.
        let room = Arc::clone(rooms.entry(id).or_insert(room));
        drop(rooms);
        self.let_strategy_move(&room);
        Ok(room)
    }

    /// The room of a game, for somebody at an address.
    ///
    /// # Errors
    /// When there is no such game.
    pub(crate) async fn room(
        self: &Arc<Self>,
        id: &str,
        address: IpAddr,
    ) -> Result<Arc<LiveGame>, Rejection> {
        let found = self.rooms.lock().expect("no panic inside").get(id).cloned();
        let room = match found {
            Some(room) => room,
            None => {
                if !is_game_id(id) {
                    return Err(Rejection::NotFound);
                }
                let stored = self.store.load(id).await?.ok_or(Rejection::NotFound)?;
                let room = self.install(stored, address)?;
                if self.store.is_shared() {
                    self.look_again(&room).await?;
                }
                room
            }
        };
        self.call_time(&room).await?;
        Ok(room)
    }

    /// What the present turn has cost so far.
    #[must_use]
    pub(crate) fn running(&self, live: &GameState) -> u64 {
        let runs = self.runs.read().expect("no panic inside");
        match (&live.clock, live.turn()) {
            (Some(clock), Some(_)) if live.clock_runs() => clock.running(self.date(), &runs),
            _ => 0,
        }
    }

    /// Waits for the turn to make a costly page. It ends when what is returned is
    /// dropped: nothing else may be waited for meanwhile.
    pub(crate) async fn turn_for_a_page(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        // It is never closed.
        self.page_turn.acquire().await.ok()
    }

    /// Tells everything that lasts, such as event streams, to end.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
        self.proofs.stop();
    }

    /// Whether the server ends.
    #[must_use]
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until everything that lasts shall end.
    pub(crate) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stopping = self.stopping.subscribe();
        async move {
            // The sender lives as long as the app; without it all is over too.
            let _ = stopping.wait_for(|stopping| *stopping).await;
        }
    }

    /// The rooms of games that anybody may find, newest first.
    pub(crate) fn listed_rooms(&self) -> Vec<Arc<LiveGame>> {
        let rooms = self.rooms.lock().expect("no panic inside");
        let listed = rooms.values().filter(|room| room.header.listed);
        let mut listed: Vec<Arc<LiveGame>> = listed.cloned().collect();
        drop(rooms);
        listed.sort_by_key(|room| std::cmp::Reverse(room.header.created_at));
        listed
    }

    /// Takes games that are no longer stored out of memory.
    pub(crate) fn leave_rooms(&self, gone: &[String]) {
        let mut rooms = self.rooms.lock().expect("no panic inside");
        for id in gone {
            rooms.remove(id);
        }
    }

    /// How many rooms are open, and how many event streams.
    #[must_use]
    pub(crate) fn open_rooms(&self) -> (usize, usize) {
        let rooms = self.rooms.lock().expect("no panic inside");
        (
            rooms.len(),
            rooms.values().map(|room| room.followers()).sum(),
        )
    }
}
