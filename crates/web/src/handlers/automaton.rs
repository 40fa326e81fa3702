//! Automata: the built-in tables, or one that the visitor sends.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_pages::automaton::{Automaton, BUILT_IN, GraphQuery};
use serde::Deserialize;

use crate::api::downloads::{png_response, svg_file};
use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::{Handled, Rejection};
use crate::state::AppState;

#[derive(Deserialize)]
struct UploadBody {
    table: String,
}

/// `GET /automaton`.
pub(crate) async fn built_in(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let _permit = app.render_permit().await;
    page(&client, BUILT_IN)
}

/// `POST /automaton`.
pub(crate) async fn uploaded(
    State(app): State<AppState>,
    client: Client,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let upload: UploadBody = body.read()?;
    let _permit = app.render_permit().await;
    page(&client, &upload.table)
}

/// `GET /automaton/graph.svg`.
pub(crate) async fn svg(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<GraphQuery>,
) -> Handled {
    let _permit = app.render_permit().await;
    Ok(svg_file(query.draw(client.words)?.svg()))
}

/// `GET /automaton/graph.png`.
pub(crate) async fn png(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<GraphQuery>,
) -> Handled {
    let drawing = query.draw(client.words)?;
    png_response(&app.analysis, &client, drawing).await
}

fn page(client: &Client, text: &str) -> Result<Response, Rejection> {
    let automaton = Automaton::parse(text, client.words)?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(automaton.json(client.words)).into_response());
    }
    Ok(Html(automaton.page(&client.page())?).into_response())
}
