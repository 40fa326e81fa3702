//! Automata: the built-in tables, or one that the visitor sends.

use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_pages::automaton::{Automaton, BUILT_IN};
use serde::Deserialize;

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
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

fn page(client: &Client, text: &str) -> Result<Response, Rejection> {
    let automaton = Automaton::parse(text, client.words)?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(automaton.json(client.words)).into_response());
    }
    Ok(Html(automaton.page(&client.page())?).into_response())
}
