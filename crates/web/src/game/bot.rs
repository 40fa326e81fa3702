//! Computer players: a reconciler that keeps one search running per game that needs one.
//!
//! Nothing else starts or stops a search. Every change of a game, including a client that
//! begins to watch, is reported to [`BotPlayer::run`], which compares the search that should
//! run with the one that runs.
//!
//! Several servers may have the same game in memory. A lease in the database decides which
//! of them searches; it expires if that server dies.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use papan_rules::{Player, SwapAction, SwapOpening, SwapStep};
use papan_store::GameStore;
use papan_strategies::{Limits, StopToken};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use crate::analysis::engine_pool::{EnginePool, Priority};
use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::command::strategy_to_move;
use crate::game::commands::Commands;
use crate::game::event::{Event, WrittenMove};
use crate::game::live_game::LiveGame;
use crate::http::rejection::Rejection;
use crate::settings::Settings;
use crate::shutdown::Shutdown;

/// Lifetime of a lease that is not renewed, in seconds.
const LEASE_SECONDS: u32 = 10;
const LEASE: Duration = Duration::from_secs(LEASE_SECONDS as u64);
/// Pause before a full pool is tried again.
const POOL_RETRY: Duration = Duration::from_millis(300);
/// Pause before a search whose move could not be stored is started again.
const STORE_RETRY: Duration = Duration::from_secs(1);

fn lease_name(id: &str, version: u64) -> String {
    format!("think {id} {version}")
}

/// Plays the moves of strategies.
pub(crate) struct BotPlayer {
    settings: Arc<Settings>,
    store: Arc<dyn GameStore>,
    commands: Arc<Commands>,
    pool: Arc<EnginePool>,
    shutdown: Shutdown,
    searches: Mutex<Searches>,
}

/// Running searches.
#[derive(Default)]
struct Searches {
    by_game: HashMap<String, Search>,
    /// Id of the next search.
    next_id: u64,
}

struct Search {
    id: u64,
    version: u64,
    stop: StopToken,
}

/// A search that should run.
struct BotTurn {
    version: u64,
    player: Player,
    request: AnalysisRequest,
    /// The swap opening, while it lasts.
    opening: Option<SwapOpening>,
    /// Whether both players are strategies, so that moves are paced for spectators.
    is_exhibition: bool,
}

impl BotPlayer {
    pub(crate) fn new(
        settings: Arc<Settings>,
        commands: Arc<Commands>,
        pool: Arc<EnginePool>,
        shutdown: Shutdown,
    ) -> Self {
        Self {
            settings,
            store: Arc::clone(&commands.store),
            commands,
            pool,
            shutdown,
            searches: Mutex::default(),
        }
    }

    /// Reconciles every game that is reported, until the channel is closed.
    pub(crate) async fn run(self: Arc<Self>, mut changes: mpsc::UnboundedReceiver<Arc<LiveGame>>) {
        while let Some(game) = changes.recv().await {
            self.reconcile(&game);
        }
    }

    /// Compares the search that should run for a game with the one that runs.
    fn reconcile(self: &Arc<Self>, game: &Arc<LiveGame>) {
        let wanted = self.wanted(game);
        let mut searches = self.searches.lock();
        let running = searches.by_game.get(&game.header.id);
        let running_version = running.map(|search| search.version);
        if running_version == wanted.as_ref().map(|turn| turn.version) {
            return;
        }
        if let Some(obsolete) = searches.by_game.remove(&game.header.id) {
            obsolete.stop.stop();
        }
        if let Some(turn) = wanted {
            let id = searches.next_id;
            searches.next_id += 1;
            let search = Search {
                id,
                version: turn.version,
                stop: turn.request.stop.clone(),
            };
            searches.by_game.insert(game.header.id.clone(), search);
            let (bot, game) = (Arc::clone(self), Arc::clone(game));
            tokio::spawn(async move { bot.play(&game, id, turn).await });
        }
    }

    /// Returns the search that should run.
    fn wanted(&self, game: &LiveGame) -> Option<BotTurn> {
        let state = game.state();
        let (player, strategy) = strategy_to_move(&state)?;
        // The game waits for a program until a server offers it.
        if !self.commands.programs.has(strategy) {
            return None;
        }
        let is_exhibition = state.holders == [None, None];
        // A game between two strategies pauses while no client watches.
        if is_exhibition && !self.is_watched(game) {
            return None;
        }
        Some(BotTurn {
            version: state.version,
            player,
            opening: state
                .opening
                .filter(|_| state.swap_step() != SwapStep::Over),
            is_exhibition,
            request: AnalysisRequest {
                game: game.rules.name(),
                start: game.header.start.clone(),
                moves: state.line.moves().to_vec(),
                strategy: strategy.clone(),
                limits: Limits {
                    time: Some(self.settings.move_time),
                    memory: Some(SEARCH_MEMORY_MIB),
                    clock: state.clock_limits(player),
                    ..Limits::default()
                },
                seed: seed(&state.id),
                stop: StopToken::default(),
            },
        })
    }

    fn is_watched(&self, game: &LiveGame) -> bool {
        game.is_watched(self.commands.clock.now())
    }

    /// Searches, makes the move and forgets the search. If the database fails, the game is
    /// reconciled again after a while.
    async fn play(&self, game: &Arc<LiveGame>, search: u64, turn: BotTurn) {
        if turn.is_exhibition {
            tokio::time::sleep(self.settings.watched_pace).await;
        }
        let result = self.search_and_move(game, turn).await;
        self.forget(&game.header.id, search);
        if let Err(error) = result {
            tracing::error!(game = game.header.id, %error, "cannot make a strategy's move");
            tokio::time::sleep(STORE_RETRY).await;
            game.notify();
        }
    }

    /// Removes a search, unless a newer one has replaced it.
    fn forget(&self, game: &str, search: u64) {
        let searches = &mut self.searches.lock().by_game;
        if searches
            .get(game)
            .is_some_and(|running| running.id == search)
        {
            searches.remove(game);
        }
    }

    async fn search_and_move(&self, game: &Arc<LiveGame>, turn: BotTurn) -> Result<(), Rejection> {
        if !self.acquire_lease(game, turn.version).await? {
            return Ok(());
        }
        let moved = match self.search(game, &turn).await {
            Some(result) => self.make_move(game, &turn, result).await,
            None => Ok(()),
        };
        let lease = lease_name(&game.header.id, turn.version);
        let _ = self.store.end_lease(&lease).await;
        moved
    }

    async fn make_move(
        &self,
        game: &Arc<LiveGame>,
        turn: &BotTurn,
        result: Result<SwapAction, StrategyFailure>,
    ) -> Result<(), Rejection> {
        let by = turn.player.into();
        let charged = self.commands.elapsed(&game.state());
        let event = match result {
            Ok(SwapAction::Place(mv)) => Event::Moved {
                by,
                mv: WrittenMove::new(&game.rules, mv),
                charged,
            },
            Ok(SwapAction::Choose(choice)) => Event::Chose {
                by,
                choice: choice.word().into(),
                charged,
            },
            Err(reason) => Event::GaveUp { by, reason },
        };
        match self
            .commands
            .append_at(game, turn.version, event, None)
            .await
        {
            // A client may have ended the game at another server, or taken a move back.
            Err(Rejection::Stale { .. }) => Ok(()),
            appended => appended,
        }
    }

    /// Runs the search on the pool. Returns `None` if it is no longer wanted.
    async fn search(
        &self,
        game: &LiveGame,
        turn: &BotTurn,
    ) -> Option<Result<SwapAction, StrategyFailure>> {
        loop {
            if turn.request.stop.is_stopped() || turn.is_exhibition && !self.is_watched(game) {
                return None;
            }
            let (sender, result) = oneshot::channel();
            let (request, opening) = (turn.request.clone(), turn.opening);
            let job = move |engines: &mut EngineCache| {
                if request.stop.is_stopped() {
                    return;
                }
                let answer = match opening {
                    // One action is one event; the next one is asked for again.
                    Some(opening) => engines.open(&request, opening),
                    None => engines.choose(&request).map(SwapAction::Place),
                };
                let _ = sender.send(answer);
            };
            if self
                .pool
                .submit(game.address(), Priority::Move, job)
                .is_ok()
            {
                let result = self
                    .renew_while(&game.header.id, turn.version, result)
                    .await;
                let stopped = turn.request.stop.is_stopped();
                // The sender is dropped without a result if the search panicked.
                return (!stopped).then(|| result.unwrap_or(Err(StrategyFailure::BrokeDown)));
            }
            tokio::time::sleep(POOL_RETRY).await;
        }
    }

    /// Waits until this server holds the lease for a version. Returns `false` if the search is
    /// no longer needed.
    async fn acquire_lease(&self, game: &LiveGame, version: u64) -> Result<bool, Rejection> {
        let name = lease_name(&game.header.id, version);
        while game.state().version == version && !self.shutdown.is_triggered() {
            if self.store.lease(&name, LEASE_SECONDS).await? {
                return Ok(true);
            }
            tokio::time::sleep(LEASE / 10).await;
        }
        Ok(false)
    }

    /// Renews the lease until `result` is there.
    async fn renew_while<T>(&self, id: &str, version: u64, mut result: T) -> T::Output
    where
        T: Future + Unpin,
    {
        loop {
            match tokio::time::timeout(LEASE / 3, &mut result).await {
                Ok(result) => return result,
                Err(_) => {
                    let name = lease_name(id, version);
                    let _ = self.store.lease(&name, LEASE_SECONDS).await;
                }
            }
        }
    }
}

/// Returns the seed of a game's random choices: the FNV-1a hash of its id.
pub(crate) fn seed(id: &str) -> u64 {
    papan_rules::fnv::fnv1a(id.as_bytes())
}
