//! A position for slides and frames of other sites.

use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_pages::embed;
use papan_pages::position_url::PositionUrl;

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `GET /embed`.
pub(crate) async fn embed(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
) -> Result<Response, Rejection> {
    let _permit = app.render_permit().await;
    let html = embed::page(&client.page(), &*app.catalog, url)?;
    Ok(Html(html).into_response())
}
