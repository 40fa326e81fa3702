//! The position editor.

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_pages::setup::{Edited, SetupQuery, edit};

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `GET /analysis/setup`.
pub(crate) async fn setup(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<SetupQuery>,
) -> Result<Response, Rejection> {
    Ok(match edit(&client.page(), &*app.catalog, query)? {
        Edited::Moved(address) => Redirect::to(&address).into_response(),
        Edited::Page { html, refused } => {
            let status = if refused {
                StatusCode::UNPROCESSABLE_ENTITY
            } else {
                StatusCode::OK
            };
            (status, Html(html)).into_response()
        }
    })
}
