//! The pages of the rules, and the page about papan.

use axum::extract::Path;
use axum::response::{Html, IntoResponse, Response};
use papan_pages::rules as page;

use crate::http::client::Client;
use crate::http::rejection::Rejection;

/// `GET /rules`.
pub(crate) async fn list(client: Client) -> Result<Response, Rejection> {
    Ok(Html(page::list(&client.page())?).into_response())
}

/// `GET /rules/{game}`.
pub(crate) async fn rules(client: Client, Path(game): Path<String>) -> Result<Response, Rejection> {
    Ok(Html(page::page(&client.page(), &game)?).into_response())
}

/// `GET /about`.
pub(crate) async fn about(client: Client) -> Result<Response, Rejection> {
    Ok(Html(page::about(&client.page())?).into_response())
}
