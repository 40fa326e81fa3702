//! The OpenAPI description of the HTTP API.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// `GET /openapi.json`.
pub(crate) async fn openapi() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, include_str!("../../assets/openapi.json")).into_response()
}
