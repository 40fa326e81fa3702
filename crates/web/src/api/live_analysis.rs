//! Live analysis: server-sent events with the evaluation of a position while the search deepens.
//!
//! The search runs in passes of growing length, each a job of its own on the engine pool: the hash
//! table makes a pass continue the one before, and other clients get their turn in between. The
//! stream ends when everything is proved, when [`MAX_TIME`] is used, or when the client leaves.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::extract::{Query, State};
use axum::http::HeaderValue;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use papan_catalog::{AnyLine, advisor};
use papan_strategies::{Decision, Limits, StopToken};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, explain, messages, score};
use serde::Serialize;

use crate::analysis::engine_cache::AnalysisRequest;
use crate::api::events::{KEEP_ALIVE, STREAM_RETRY_AFTER};
use crate::http::client::Client;
use crate::http::rate_limit::Permit;
use crate::http::rejection::Rejection;
use crate::pages::analysis::status;
use crate::pages::evaluation_bar::bar;
use crate::pages::overlay;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

/// Length of the first pass; each of the next ones is twice as long.
const FIRST_PASS: Duration = Duration::from_millis(150);
/// Maximum length of a pass.
const MAX_PASS: Duration = Duration::from_secs(4);
/// Search time of one stream.
const MAX_TIME: Duration = Duration::from_secs(120);
/// Pause before the next attempt while the pool or the client's share of it is full.
const RETRY: Duration = Duration::from_millis(500);
/// Attempts to start a pass.
const MAX_ATTEMPTS: usize = 60;

/// Evaluation of a position after a pass.
#[derive(Serialize)]
struct LiveUpdate {
    /// Number of passes so far.
    pass: u32,
    /// The best move, in the game's notation.
    best: String,
    /// Nodes of the last pass.
    nodes: u64,
    /// Best move, score, depth, nodes and speed in one line.
    text: String,
    /// The principal variation.
    line: String,
    /// The evaluation bar, as HTML.
    bar: Option<String>,
    /// Pictures of the cells whose evaluation has changed, by name, as SVG.
    cells: HashMap<String, String>,
    /// Whether the analysis is over.
    done: bool,
}

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
    let line = url.line_here(&app.catalog, client.words)?;
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
        app,
        client,
        line,
        pass: 0,
        used: Duration::ZERO,
        sent: HashMap::new(),
        done: false,
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
    line: Box<dyn AnyLine>,
    request: AnalysisRequest,
    pass: u32,
    used: Duration,
    /// The last picture of each cell.
    sent: HashMap<String, String>,
    done: bool,
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
        if self.done {
            return None;
        }
        let time = (FIRST_PASS * (1 << self.pass.min(10))).min(MAX_PASS);
        let (decision, took) = self.search(time).await?;
        self.pass += 1;
        self.used += time;
        let scores = decision.candidates.iter().map(|candidate| candidate.score);
        let proved = scores.clone().count() == self.line.legal_moves().len()
            && scores.flatten().all(|score| score.is_proven());
        // A pass that ends long before its time has nothing left to search.
        let exhausted = self.pass > 2 && took < time / 8;
        self.done = proved || exhausted || self.used >= MAX_TIME;
        let app = self.app.clone();
        let _permit = app.render_permit().await;
        Some(self.update(&decision, took))
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

    fn update(&mut self, decision: &Decision, took: Duration) -> LiveUpdate {
        let words = self.client.words;
        let (line, game) = (&*self.line, self.line.game());
        let chosen = decision.chosen();
        let best_score = chosen.and_then(|chosen| chosen.score);
        let depth = chosen
            .and_then(explain::depth)
            .unwrap_or_else(|| "–".into());
        let per_second = decision.nodes as f64 / took.as_secs_f64().max(1e-3);
        let text = words.with(
            "web-live-text",
            [
                ("move", game.show_move(decision.best).into()),
                (
                    "score",
                    best_score
                        .map_or_else(String::new, |best| score::text(best, words))
                        .into(),
                ),
                ("depth", depth.into()),
                ("nodes", messages::count(decision.nodes).into()),
                ("speed", messages::count(per_second as u64).into()),
            ],
        );
        let options = DrawOptions {
            legal: true,
            names: true,
            overlays: overlay::overlays(words, line, decision),
            ..DrawOptions::default()
        };
        let view = BoardView::of(line);
        let mut cells = HashMap::new();
        for (index, cell) in view.cells.iter().enumerate() {
            if cell.piece.is_some() {
                continue;
            }
            let picture = svg_board::cell(&view, index, &options);
            if self.sent.get(&cell.written) != Some(&picture) {
                self.sent.insert(cell.written.clone(), picture.clone());
                cells.insert(cell.written.clone(), picture);
            }
        }
        LiveUpdate {
            pass: self.pass,
            best: game.format_move(decision.best),
            nodes: decision.nodes,
            text,
            line: chosen.map_or_else(String::new, |chosen| game.show_moves(&chosen.pv)),
            bar: best_score.map(|best| bar(words, &game, line.turn(), best)),
            cells,
            done: self.done,
        }
    }
}
