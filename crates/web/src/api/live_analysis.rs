//! Live analysis: server-sent events with the evaluation of a position while the search deepens.
//!
//! Each pass is a job of its own on the engine pool, so that other clients get their turn in between.
//! The stream ends when the analysis is over or the client leaves.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::extract::{Query, State};
use axum::http::HeaderValue;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use papan_catalog::advisor;
use papan_pages::analysis::status;
use papan_pages::live_update::{LiveAnalysis, LiveUpdate};
use papan_pages::position_url::PositionUrl;
use papan_strategies::{Limits, StopToken};
use papan_view::BoardView;

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache};
use crate::api::events::{KEEP_ALIVE, STREAM_RETRY_AFTER};
use crate::http::client::Client;
use crate::http::compression::CompressedStream;
use crate::http::rate_limit::Permit;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Pause before the next attempt while the pool or the client's share of it is full.
const RETRY: Duration = Duration::from_millis(500);
/// Search time of one stream. The page asks for another one by a click.
const MAX_TIME: Duration = Duration::from_secs(600);
/// Attempts to start a job.
const MAX_ATTEMPTS: usize = 60;

/// `GET /analysis/live`.
pub(crate) async fn live(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
) -> Result<Response, Rejection> {
    let streams = &app.limits.streams;
    let permit = streams
        .acquire(client.address, app.settings.streams_per_address, usize::MAX)
        .ok_or(Rejection::TooMany {
            seconds: STREAM_RETRY_AFTER,
        })?;
    let rendering = app.render_permit().await;
    let line = url.line_here(&*app.catalog, client.words)?;
    drop(rendering);
    if line.outcome().is_some() {
        let sentence = status(client.words, &BoardView::of(&*line));
        return Err(Rejection::Unusable(sentence));
    }
    let shutdown = app.shutdown.clone();
    let search = LiveSearch {
        request: AnalysisRequest {
            game: line.game().name(),
            start: url.start.clone(),
            moves: line.moves().to_vec(),
            strategy: advisor(&line.game()),
            limits: app.analysis.limits(),
            seed: 0,
            stop: StopToken::default(),
        },
        analysis: LiveAnalysis::new(line, client.words).limited(MAX_TIME),
        app,
        client,
        _permit: permit,
    };
    let updates = stream::unfold(search, async |mut search| {
        let update = search.next().await?;
        let json = serde_json::to_string(&update).expect("updates serialize to JSON");
        let event = SseEvent::default().data(json);
        Some((Ok::<_, Infallible>(event), search))
    });
    let updates = futures_util::StreamExt::take_until(updates, async move {
        shutdown.wait().await;
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(updates).keep_alive(keep_alive).into_response();
    response.extensions_mut().insert(CompressedStream);
    // nginx buffers responses by default.
    response
        .headers_mut()
        .insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// A search that deepens as long as its stream is open.
struct LiveSearch {
    app: AppState,
    client: Client,
    analysis: LiveAnalysis,
    request: AnalysisRequest,
    _permit: Permit,
}

impl Drop for LiveSearch {
    fn drop(&mut self) {
        self.request.stop.stop();
    }
}

impl LiveSearch {
    /// Runs the next pass; `None` when the analysis is over.
    async fn next(&mut self) -> Option<LiveUpdate> {
        let request = AnalysisRequest {
            limits: Limits {
                time: Some(self.analysis.next_pass()?),
                ..self.request.limits
            },
            ..self.request.clone()
        };
        let asked = request.clone();
        let (decision, took) = self
            .run(move |engines| {
                let start = Instant::now();
                (engines.decide(&asked), start.elapsed())
            })
            .await?;
        let decision = decision.ok()?;
        let others = self.analysis.unscored(&decision);
        if !others.is_empty() {
            let scores = self.run(move |engines| engines.score_moves(&request, &others));
            self.analysis.add_scores(scores.await?.ok()?);
        }
        let app = self.app.clone();
        let _permit = app.render_permit().await;
        Some(self.analysis.record(&decision, took))
    }

    /// Runs a job on the engine pool, after waiting for a place in the queue.
    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut EngineCache) -> T + Clone + Send + 'static,
    ) -> Option<T> {
        let address = self.client.address;
        for _ in 0..MAX_ATTEMPTS {
            let result = match self.app.analysis.take_token(address) {
                Err(rejection) => Err(rejection),
                Ok(()) => self.app.analysis.run_on_pool(address, job.clone()).await,
            };
            match result {
                Ok(result) => return Some(result),
                Err(Rejection::Busy | Rejection::TooMany { .. }) => {
                    tokio::time::sleep(RETRY).await;
                }
                Err(_) => return None,
            }
        }
        None
    }
}
