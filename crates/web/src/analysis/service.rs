//! Analysis of single positions: hints, explanations, evaluations of every move.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use papan_catalog::{AnyGame, FAMILIES, advisor};
use papan_strategies::{Decision, Limits, StopToken};
use quick_cache::sync::Cache;
use tokio::sync::oneshot;

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use crate::analysis::engine_pool::{EnginePool, Priority, QueueFull};
use crate::analysis::strategy_failure::StrategyFailure;
use crate::http::rate_limit::RateLimits;
use crate::http::rejection::Rejection;
use crate::settings::Settings;
use crate::shutdown::Shutdown;
use crate::wall_clock::WallClock;

/// Maximum number of cached decisions.
const CACHED_DECISIONS: usize = 256;
/// Time after which a client whose share of the queue is full should try again.
const SHARE_RETRY: Duration = Duration::from_secs(1);

/// Runs analyses on the engine pool.
pub(crate) struct AnalysisService {
    settings: Arc<Settings>,
    clock: Arc<dyn WallClock>,
    pool: Arc<EnginePool>,
    rate_limits: Arc<RateLimits>,
    pub(crate) shutdown: Shutdown,
    decisions: Cache<String, Arc<Decision>>,
}

impl AnalysisService {
    pub(crate) fn new(
        settings: Arc<Settings>,
        clock: Arc<dyn WallClock>,
        pool: Arc<EnginePool>,
        rate_limits: Arc<RateLimits>,
        shutdown: Shutdown,
    ) -> Self {
        Self {
            settings,
            clock,
            pool,
            rate_limits,
            shutdown,
            decisions: Cache::new(CACHED_DECISIONS),
        }
    }

    /// Loads the engines of all families of games on the pool, so that the first analysis does not
    /// wait for their weights.
    pub(crate) fn warm_up(&self) {
        let games = FAMILIES
            .iter()
            .filter_map(|family| family.name.parse::<AnyGame>().ok());
        let requests: Vec<AnalysisRequest> = games
            .map(|game| AnalysisRequest {
                game: game.name(),
                start: None,
                moves: Vec::new(),
                strategy: advisor(&game),
                limits: Limits {
                    nodes: Some(1),
                    ..self.limits()
                },
                seed: 0,
                stop: StopToken::default(),
            })
            .collect();
        let job = move |engines: &mut EngineCache| {
            for request in &requests {
                // A game whose engine fails says so when it is asked.
                let _ = engines.decide(request);
            }
        };
        let address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        // The queue of a new server is empty.
        let _ = self.pool.submit(address, Priority::Analysis, job);
    }

    /// Takes a token for an engine request.
    ///
    /// # Errors
    /// If the client's bucket is empty.
    pub(crate) fn take_token(&self, client: IpAddr) -> Result<(), Rejection> {
        let now = self.clock.now();
        let taken = self.rate_limits.analysis.take(client, now);
        taken.map_err(Rejection::too_many)
    }

    /// Returns the limits of a hint or one analysed position.
    #[must_use]
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: Some(self.settings.study_time),
            memory: Some(SEARCH_MEMORY_MIB),
            ..Limits::default()
        }
    }

    /// Returns a strategy's move with its reasons.
    ///
    /// # Errors
    /// If the pool is full or the strategy has no answer.
    pub(crate) async fn decide(
        &self,
        client: IpAddr,
        request: AnalysisRequest,
    ) -> Result<Decision, Rejection> {
        let decided = self
            .run_on_pool(client, move |engines| engines.decide(&request))
            .await;
        answer(decided)
    }

    /// Returns a cached decision with a score of every move, or takes a token and computes it.
    ///
    /// # Errors
    /// If the client's bucket is empty, the pool is full, or the strategy has no answer.
    pub(crate) async fn decide_cached(
        &self,
        client: IpAddr,
        request: AnalysisRequest,
    ) -> Result<Arc<Decision>, Rejection> {
        let key = format!(
            "{} {:?} {:?} {}",
            request.game, request.start, request.moves, request.strategy
        );
        if let Some(decision) = self.decisions.get(&key) {
            return Ok(decision);
        }
        self.take_token(client)?;
        let job = move |engines: &mut EngineCache| engines.decide_every_move(&request);
        let decision = Arc::new(answer(self.run_on_pool(client, job).await)?);
        self.decisions.insert(key, Arc::clone(&decision));
        Ok(decision)
    }

    /// Runs a client's job on the pool.
    ///
    /// # Errors
    /// If the queue, or the client's share of it, is full.
    pub(crate) async fn run_on_pool<T: Send + 'static>(
        &self,
        client: IpAddr,
        job: impl FnOnce(&mut EngineCache) -> T + Send + 'static,
    ) -> Result<T, Rejection> {
        let (sender, result) = oneshot::channel();
        let job = move |engines: &mut EngineCache| {
            let _ = sender.send(job(engines));
        };
        let submitted = self.pool.submit(client, Priority::Analysis, job);
        submitted.map_err(|full| match full {
            QueueFull::Total => Rejection::Busy,
            QueueFull::Address => Rejection::too_many(SHARE_RETRY),
        })?;
        match result.await {
            Ok(result) => Ok(result),
            Err(_) if self.shutdown.is_triggered() => Err(Rejection::Busy),
            Err(_) => Err(Rejection::Internal),
        }
    }
}

/// Returns the answer of a job. A job that panicked has none.
fn answer(
    decided: Result<Result<Decision, StrategyFailure>, Rejection>,
) -> Result<Decision, Rejection> {
    match decided {
        Ok(decided) => decided.map_err(Rejection::NoAnswer),
        Err(Rejection::Internal) => Err(Rejection::NoAnswer(StrategyFailure::BrokeDown)),
        Err(rejection) => Err(rejection),
    }
}
