//! Traced runs of strategies, computed on the engine pool and cached: every step of a run is a page
//! of its own.

use std::net::IpAddr;
use std::sync::Arc;

use papan_catalog::trace::{TraceError, TracedRun, trace};
use papan_pages::trace::StepRequest;
use papan_solve::TraceEvent;
use papan_view::{Messages, messages};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::analysis::service::AnalysisService;
use crate::http::rejection::Rejection;

/// Capacity of the cache in bytes, as estimated by [`RunSize`].
const CAPACITY: u64 = 24 << 20;
/// Expected number of entries, for the initial allocation.
const EXPECTED_RUNS: usize = 64;

/// Runs and caches traces.
pub(crate) struct Traces {
    analysis: Arc<AnalysisService>,
    runs: Cache<String, Arc<TracedRun>, RunSize>,
}

/// The estimated size of a run.
#[derive(Clone)]
struct RunSize;

impl Weighter<String, Arc<TracedRun>> for RunSize {
    fn weight(&self, key: &String, run: &Arc<TracedRun>) -> u64 {
        let candidates = |event: &TraceEvent| match event {
            TraceEvent::Score { .. } => 1,
            TraceEvent::Playout {
                candidates, path, ..
            } => candidates.len() + path.len(),
            _ => 0,
        };
        let steps = run.trace.steps.iter();
        let bytes: usize = steps
            .map(|step| 200 + 2 * step.path.len() + 300 * candidates(&step.event))
            .sum();
        (key.len() + bytes) as u64
    }
}

impl Traces {
    pub(crate) fn new(analysis: Arc<AnalysisService>) -> Self {
        Self {
            analysis,
            runs: Cache::with_weighter(EXPECTED_RUNS, CAPACITY, RunSize),
        }
    }

    /// Returns a cached run, or takes a token and runs the strategy.
    ///
    /// # Errors
    /// If the client's bucket is empty, the pool is full, or the run cannot be traced.
    pub(crate) async fn get(
        &self,
        client: IpAddr,
        step: &StepRequest,
        words: Messages,
    ) -> Result<Arc<TracedRun>, Rejection> {
        let key = step.key();
        if let Some(run) = self.runs.get(&key) {
            return Ok(run);
        }
        self.analysis.take_token(client)?;
        let (request, line) = (step.run(), step.line().clone_line());
        let traced = self
            .analysis
            .run_on_pool(client, move |_| trace(&*line, &request))
            .await?;
        let unusable = |error: TraceError| Rejection::Unusable(messages::trace(words, &error));
        let run = Arc::new(traced.map_err(unusable)?);
        self.runs.insert(key, Arc::clone(&run));
        Ok(run)
    }
}
