//! A strategy step by step.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_pages::position_url::PositionUrl;
use papan_pages::trace::{self as page, StepRequest};
use papan_pages::trace_url::StepFields;
use papan_view::Drawing;

use crate::api::downloads::{png_response, svg_file};
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::{Handled, Rejection};
use crate::state::AppState;

/// `GET /trace`.
pub(crate) async fn trace(
    State(app): State<AppState>,
    client: Client,
    Query(position): Query<PositionUrl>,
    Query(fields): Query<StepFields>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let step = StepRequest::parse(position, &fields, &*app.catalog, &app.strategies, words)?;
    let run = app.traces.get(client.address, &step, words).await?;
    let _permit = app.render_permit().await;
    if client.format == ResponseFormat::Json {
        return Ok(Json(page::json(&step, &run)).into_response());
    }
    Ok(Html(page::page(&client.page(), &step, &run)?).into_response())
}

/// `GET /trace/step.svg`.
pub(crate) async fn svg(
    State(app): State<AppState>,
    client: Client,
    Query(position): Query<PositionUrl>,
    Query(fields): Query<StepFields>,
) -> Handled {
    let drawing = frame(&app, &client, position, &fields).await?;
    Ok(svg_file(drawing.svg()))
}

/// `GET /trace/step.png`.
pub(crate) async fn png(
    State(app): State<AppState>,
    client: Client,
    Query(position): Query<PositionUrl>,
    Query(fields): Query<StepFields>,
) -> Handled {
    let drawing = frame(&app, &client, position, &fields).await?;
    png_response(&app.analysis, &client, drawing).await
}

async fn frame(
    app: &AppState,
    client: &Client,
    position: PositionUrl,
    fields: &StepFields,
) -> Result<Drawing, Rejection> {
    let words = client.words;
    let step = StepRequest::parse(position, fields, &*app.catalog, &app.strategies, words)?;
    let run = app.traces.get(client.address, &step, words).await?;
    let _permit = app.render_permit().await;
    Ok(page::frame(&step, &run, words))
}
