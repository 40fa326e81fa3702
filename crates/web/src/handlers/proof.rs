//! The page of a proof, which runs in the background.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_pages::proof::{self as page, ProofQuery, ProofStage, ProofView};

use crate::analysis::proof_job::ProofRequest;
use crate::http::client::{Client, ResponseFormat, Searcher};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Returns the request and the state of its proof.
async fn stage(
    app: &AppState,
    client: &Client,
    query: &ProofQuery,
    is_left_to_browser: bool,
) -> Result<(ProofRequest, ProofStage), Rejection> {
    let request = query.request(&*app.catalog, &app.strategies, client.words)?;
    if is_left_to_browser {
        let stage = app.proofs.known(&request).await?;
        return Ok((request, stage));
    }
    if client.format == ResponseFormat::Page {
        app.analysis.take_token(client.address)?;
    }
    let stage = app.proofs.get(client.address, request.clone()).await?;
    Ok((request, stage))
}

/// `GET /proof`.
pub(crate) async fn proof(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<ProofQuery>,
    Query(searcher): Query<Searcher>,
) -> Result<Response, Rejection> {
    let is_left_to_browser = client.searches(&searcher);
    let (request, stage) = stage(&app, &client, &query, is_left_to_browser).await?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(ProofView::new(client.words, &stage)).into_response());
    }
    let html = page::page(&client.page(), &query, &request, &stage)?;
    Ok(Html(html).into_response())
}

/// `GET /embed/proof`: the proof for slides and frames, with the lost game on a board.
pub(crate) async fn embedded(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<ProofQuery>,
) -> Result<Response, Rejection> {
    // A framed page may run nothing but its own script.
    let (request, stage) = stage(&app, &client, &query, false).await?;
    let html = page::embedded(&client.page(), &query, &request, &stage)?;
    Ok(Html(html).into_response())
}
