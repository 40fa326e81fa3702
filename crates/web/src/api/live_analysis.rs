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
use papan_strategies::{Decision, Limits, StopToken};
use papan_view::BoardView;

use crate::analysis::engine_cache::AnalysisRequest;
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
/// Attempts to start a pass.
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
        let time = self.analysis.next_pass()?;
        let (decision, took) = self.search(time).await?;
        let app = self.app.clone();
        let _permit = app.render_permit().await;
        Some(self.analysis.record(&decision, took))
    }

    /// Searches once, after waiting for a place in the queue.
    async fn search(&self, time: Duration) -> Option<(Decision, Duration)> {
        for _ in 0..MAX_ATTEMPTS {
            let request = AnalysisRequest {
                limits: Limits {
                    time: Some(time),
                    ..self.request.limits
                },
                ..self.request.clone()
            };
            let address = self.client.address;
            let searched = match self.app.analysis.take_token(address) {
                Err(rejection) => Err(rejection),
                Ok(()) => {
                    let job = self.app.analysis.run_on_pool(address, move |engines| {
                        let start = Instant::now();
                        (engines.decide(&request), start.elapsed())
                    });
                    job.await
                }
            };
            match searched {
                Ok((decision, took)) => return Some((decision.ok()?, took)),
                Err(Rejection::Busy | Rejection::TooMany { .. }) => {
                    tokio::time::sleep(RETRY).await;
                }
                Err(_) => return None,
            }
        }
        None
    }
}
