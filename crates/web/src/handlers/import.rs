//! Import of a game record, a position or a list of moves into the analysis.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use papan_pages::PageError;
use papan_pages::analysis::FailedImport;
use papan_pages::import::{Import, parse};

use crate::handlers::analysis;
use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// `POST /import`: redirects to the analysis of the imported game. A page with the text and the
/// error is the answer if it cannot be read.
pub(crate) async fn import(
    State(app): State<AppState>,
    client: Client,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let import: Import = body.read()?;
    let permit = app.render_permit().await;
    let read = parse(&*app.catalog, &import, client.words);
    drop(permit);
    match read {
        Ok(url) => Ok(Redirect::to(&url.link("/analysis")).into_response()),
        Err(PageError::Unusable(sentence)) if client.format == ResponseFormat::Page => {
            let failed = FailedImport {
                text: import.text,
                sentence,
            };
            let page = analysis::page_after_import(&app, &client, import.game, failed).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(error) => Err(error.into()),
    }
}
