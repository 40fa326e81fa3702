//! The laboratory: forms for explanations, traces, proofs and automata.

use axum::response::{Html, IntoResponse, Response};

use crate::http::client::Client;
use crate::http::rejection::Rejection;

/// `GET /laboratory`.
pub(crate) async fn laboratory(client: Client) -> Result<Response, Rejection> {
    Ok(Html(papan_pages::laboratory::page(&client.page())?).into_response())
}
