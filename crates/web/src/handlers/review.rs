//! The review of a game: the page polls the background job in `analysis::reviews`.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_pages::position_url::PositionUrl;
use papan_pages::review::{self as page, ReviewRequest};

use crate::analysis::reviews::ReviewSubject;
use crate::http::client::{Client, ResponseFormat, Searcher};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `GET /review`.
pub(crate) async fn review(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
    Query(searcher): Query<Searcher>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let request = ReviewRequest::parse(url, &*app.catalog, words)?;
    let line = request.line();
    let subject = ReviewSubject {
        game: line.game(),
        start: request.start().map(str::to_owned),
        moves: line.moves().to_vec(),
    };
    let review = if client.searches(&searcher) {
        app.reviews.known(&subject).await?
    } else {
        app.reviews.get(client.address, subject).await?
    };
    let _permit = app.render_permit().await;
    let progress = review.progress(words);
    if client.format == ResponseFormat::Json {
        return Ok(Json(page::view(&request, &progress)).into_response());
    }
    Ok(Html(page::page(&client.page(), &request, &progress)?).into_response())
}
