//! The analysis page: evaluates the position with the requested strategy.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_pages::analysis::{self as page, Evaluation, FailedImport, Notices, PositionView};
use papan_pages::position_url::PositionUrl;
use papan_pages::variations::Variations;
use papan_strategies::StopToken;

use crate::analysis::engine_cache::AnalysisRequest;
use crate::http::client::{Client, ResponseFormat, Searcher};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `GET /analysis`.
pub(crate) async fn analysis(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
    Query(searcher): Query<Searcher>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let permit = app.render_permit().await;
    let lines = Variations::parse(url, &*app.catalog, words)?;
    drop(permit);
    let (line, url) = (lines.here(), lines.url());
    let strategy = url.strategy.as_deref().unwrap_or("").trim();
    let is_page = client.format == ResponseFormat::Page;
    let is_pending = !strategy.is_empty() && line.outcome().is_none() && client.searches(&searcher);
    let decided = match strategy {
        "" => None,
        _ if is_pending => None,
        _ if line.outcome().is_some() && is_page => None,
        strategy => Some(evaluate(&app, &client, &url, &*line, strategy).await),
    };
    let (decision, unavailable) = match decided {
        None => (None, None),
        Some(Ok(decision)) => (Some(decision), None),
        // Navigation still works while the engine is busy.
        Some(Err(Rejection::Busy | Rejection::TooMany { .. })) if is_page => {
            (None, Some(words.text("web-busy")))
        }
        Some(Err(rejection)) => return Err(rejection),
    };
    if client.format == ResponseFormat::Json {
        return Ok(Json(PositionView::new(words, &*line, decision.as_ref())).into_response());
    }
    let _permit = app.render_permit().await;
    let notices = Notices {
        unavailable,
        is_pending,
        ..Notices::default()
    };
    let html = page::page(&client.page(), &lines, decision.as_ref(), notices)?;
    Ok(Html(html).into_response())
}

/// Renders the start of a game with the text that could not be imported.
///
/// # Errors
/// If the game does not exist.
pub(crate) async fn page_after_import(
    app: &AppState,
    client: &Client,
    game: String,
    failed: FailedImport,
) -> Result<Html<String>, Rejection> {
    let _permit = app.render_permit().await;
    let url = PositionUrl {
        game,
        ..PositionUrl::default()
    };
    let lines = Variations::parse(url, &*app.catalog, client.words)?;
    let notices = Notices {
        import: Some(failed),
        ..Notices::default()
    };
    Ok(Html(page::page(&client.page(), &lines, None, notices)?))
}

/// Evaluates a position.
pub(crate) async fn evaluate(
    app: &AppState,
    client: &Client,
    url: &PositionUrl,
    line: &dyn AnyLine,
    strategy: &str,
) -> Result<Evaluation, Rejection> {
    let spec = app.strategies.parse(&line.game(), strategy, client.words)?;
    let request = AnalysisRequest {
        game: line.game().name(),
        start: url.start.clone(),
        moves: line.moves().to_vec(),
        strategy: spec.clone(),
        limits: app.analysis.limits(),
        seed: 0,
        stop: StopToken::default(),
    };
    let decision = app.analysis.decide_cached(client.address, request).await?;
    Ok((spec, decision))
}
