//! Shared state of all handlers: the services of a server.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use papan_pages::strategy_policy::StrategyPolicy;
use papan_store::{GameStore, Run, StoreError};
use papan_strategies::Limits;
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};

use crate::admin::metrics::Metrics;
use crate::analysis::engine_pool::{EnginePool, PoolLimits};
use crate::analysis::in_flight::InFlightJobs;
use crate::analysis::proofs::Proofs;
use crate::analysis::remote::RemoteWorkers;
use crate::analysis::reviews::Reviews;
use crate::analysis::service::AnalysisService;
use crate::analysis::traces::Traces;
use crate::game::bot::BotPlayer;
use crate::game::catalog::GameCatalog;
use crate::game::cluster::Cluster;
use crate::game::commands::Commands;
use crate::game::registry::GameRegistry;
use crate::game::uptime::Uptime;
use crate::http::identity::IdentityLinks;
use crate::http::identity_key::IdentityKey;
use crate::http::page_cache::PageCache;
use crate::http::rate_limit::RateLimits;
use crate::http::refusal_log::RefusalLog;
use crate::settings::Settings;
use crate::shutdown::Shutdown;
use crate::wall_clock::WallClock;
use papan_pages::programs::Programs;

/// Search threads for opponents' moves only.
const MOVE_THREADS: usize = 2;
/// Maximum number of queued searches of one priority.
const MAX_QUEUED_SEARCHES: usize = 1024;
/// Expensive pages rendered at a time, so that a core is left for moves.
const RENDERERS: usize = 1;

/// Servers that start on a new database within this time, in milliseconds, find it new.
const STARTING: i64 = 60_000;

/// The state of a server, shared by all handlers. Cloning is cheap.
#[derive(Clone)]
pub struct AppState(Arc<Services>);

/// The services of a server.
pub struct Services {
    /// Configuration.
    pub settings: Arc<Settings>,
    /// The database.
    pub store: Arc<dyn GameStore>,
    pub(crate) clock: Arc<dyn WallClock>,
    pub(crate) shutdown: Shutdown,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Arc<RateLimits>,
    pub(crate) catalog: Arc<GameCatalog>,
    pub(crate) strategies: StrategyPolicy,
    pub(crate) commands: Arc<Commands>,
    pub(crate) programs: Arc<Programs>,
    pub(crate) games: Arc<GameRegistry>,
    pub(crate) cluster: Cluster,
    pub(crate) pool: Arc<EnginePool>,
    pub(crate) remote: Option<Arc<RemoteWorkers>>,
    pub(crate) analysis: Arc<AnalysisService>,
    pub(crate) reviews: Arc<Reviews>,
    pub(crate) traces: Traces,
    pub(crate) proofs: Arc<Proofs>,
    pub(crate) page_cache: PageCache,
    pub(crate) identity_key: Arc<IdentityKey>,
    pub(crate) identity_links: IdentityLinks,
    pub(crate) refusal_log: RefusalLog,
    renderers: Semaphore,
}

impl Deref for AppState {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.0
    }
}

impl FromRef<AppState> for Arc<Settings> {
    fn from_ref(state: &AppState) -> Self {
        Self::clone(&state.settings)
    }
}

impl FromRef<AppState> for Arc<IdentityKey> {
    fn from_ref(state: &AppState) -> Self {
        Self::clone(&state.identity_key)
    }
}

impl AppState {
    /// Wires the services over a database and records the start of the server.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub async fn open(
        settings: Settings,
        store: Arc<dyn GameStore>,
        clock: Arc<dyn WallClock>,
    ) -> Result<Self, StoreError> {
        let now = clock.unix_millis();
        let run = Run {
            began_at: now,
            alive_at: now,
        };
        store.beat(run).await?;
        let runs = store.runs().await?;
        // Not by the servers that are starting now.
        let is_used = runs.iter().any(|run| run.began_at < now - STARTING);
        let identity_key = Arc::new(IdentityKey::open(&*store, is_used, now).await?);
        let uptime = Uptime::new(runs, run, store.is_shared());
        let programs = Arc::new(Programs::new(settings.programs.clone()));
        let settings = Arc::new(settings);
        let shutdown = Shutdown::default();
        let metrics = Arc::new(Metrics::default());
        let limits = Arc::new(RateLimits::new(&settings));
        let catalog = Arc::new(GameCatalog::default());
        let remote = settings
            .jobs
            .clone()
            .map(|address| Arc::new(RemoteWorkers::connect(address)));
        let in_flight = Arc::new(InFlightJobs::default());
        let pool = Arc::new(EnginePool::new(PoolLimits {
            threads: settings.engine_threads,
            for_moves: MOVE_THREADS,
            waiting: MAX_QUEUED_SEARCHES,
            per_address: settings.engine_waiting_per_visitor,
            memory_mib: settings.engine_memory,
        }));
        let commands = Arc::new(Commands {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            uptime,
            metrics: Arc::clone(&metrics),
            programs: Arc::clone(&programs),
        });
        let (changes, changed_games) = mpsc::unbounded_channel();
        let bots = BotPlayer::new(
            Arc::clone(&settings),
            Arc::clone(&commands),
            Arc::clone(&pool),
            shutdown.clone(),
        );
        tokio::spawn(Arc::new(bots).run(changed_games));
        let games = Arc::new(GameRegistry::new(
            Arc::clone(&catalog),
            Arc::clone(&commands),
            changes,
        ));
        let analysis = Arc::new(AnalysisService::new(
            Arc::clone(&settings),
            Arc::clone(&clock),
            Arc::clone(&pool),
            Arc::clone(&limits),
            shutdown.clone(),
        ));
        Ok(Self(Arc::new(Services {
            strategies: StrategyPolicy {
                limits: Limits {
                    time: Some(settings.move_time),
                    ..Limits::default()
                },
                programs: Arc::clone(&programs),
            },
            cluster: Cluster::new(
                Arc::clone(&commands),
                Arc::clone(&games),
                Arc::clone(&limits),
                Arc::clone(&in_flight),
            ),
            reviews: Arc::new(Reviews::new(
                Arc::clone(&store),
                Arc::clone(&clock),
                Arc::clone(&analysis),
                remote.clone(),
                Arc::clone(&in_flight),
            )),
            proofs: Arc::new(Proofs::new(
                Arc::clone(&settings),
                Arc::clone(&store),
                Arc::clone(&clock),
                remote.clone(),
                in_flight,
                shutdown.clone(),
            )),
            traces: Traces::new(Arc::clone(&analysis)),
            page_cache: PageCache::default(),
            identity_key,
            identity_links: IdentityLinks::default(),
            refusal_log: RefusalLog::default(),
            renderers: Semaphore::new(RENDERERS),
            settings,
            store,
            clock,
            shutdown,
            metrics,
            limits,
            catalog,
            commands,
            programs,
            games,
            pool,
            remote,
            analysis,
        })))
    }

    /// Exchanges notifications with other servers on the same database, if it can be shared.
    pub async fn run_cluster(self) {
        self.cluster.run_listener().await;
    }

    /// Ends event streams and background jobs.
    pub fn stop(&self) {
        self.shutdown.trigger();
        self.proofs.stop();
    }

    /// Waits for the permit to render an expensive page. The holder must not await anything
    /// else.
    pub(crate) async fn render_permit(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.renderers.acquire().await.ok()
    }
}
