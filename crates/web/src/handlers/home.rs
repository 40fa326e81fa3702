//! The home page, with the client's last choices as defaults.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use papan_pages::Games as _;
use papan_pages::form_defaults::FormDefaults;
use papan_pages::home::{self, StrategiesView, WrongField};
use serde::Deserialize;

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `GET /`.
pub(crate) async fn home(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let defaults = FormDefaults::parse(client.form_defaults.as_deref().unwrap_or(""));
    page(&app, &client, &defaults, None)
}

/// Renders the page with defaults and the error of a rejected form.
pub(crate) fn page(
    app: &AppState,
    client: &Client,
    defaults: &FormDefaults,
    wrong: Option<WrongField>,
) -> Result<Response, Rejection> {
    let status = match wrong {
        None => StatusCode::OK,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let html = home::page(
        &client.page(),
        &*app.catalog,
        &app.programs,
        defaults,
        wrong,
    )?;
    Ok((status, Html(html)).into_response())
}

#[derive(Deserialize)]
pub(crate) struct StrategiesQuery {
    game: String,
}

/// `GET /strategies`.
pub(crate) async fn strategies(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<StrategiesQuery>,
) -> Result<Response, Rejection> {
    let _permit = app.render_permit().await;
    let game = app.catalog.parse(&query.game, client.words)?;
    Ok(Json(StrategiesView::new(&game, &app.programs)).into_response())
}
