//! My studies: saved analyses of a visitor.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_pages::studies::{self as page, SaveForm, Studies};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::state::AppState;
use crate::visitor_data::{self, DataKind};

async fn studies(app: &AppState, client: &Client) -> Result<Studies, Rejection> {
    match &client.secret {
        Some(secret) => visitor_data::read(&*app.store, &secret.visitor(), DataKind::Studies).await,
        None => Ok(Studies::default()),
    }
}

/// `GET /studies`.
pub(crate) async fn list(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let studies = studies(&app, &client).await?;
    if client.format == ResponseFormat::Json {
        return Ok(Json(studies).into_response());
    }
    let _permit = app.render_permit().await;
    Ok(Html(page::page(&client.page(), &*app.catalog, &studies)?).into_response())
}

/// `POST /studies`: saves an analysis.
pub(crate) async fn save(
    State(app): State<AppState>,
    client: Client,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let form: SaveForm = body.read()?;
    let (name, query) = form.parse(&*app.catalog, &client.page())?;
    let (secret, headers) = client.secret_or_new()?;
    let visitor = secret.visitor();
    let (store, clock) = (&*app.store, &*app.clock);
    let mut studies: Studies = visitor_data::read(store, &visitor, DataKind::Studies).await?;
    studies.add(name, query, clock.unix_millis());
    visitor_data::write(store, clock, &visitor, DataKind::Studies, &studies).await?;
    let mut response = match client.format {
        ResponseFormat::Json => (StatusCode::CREATED, Json(studies)).into_response(),
        _ => Redirect::to("/studies").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}

/// `POST /studies/{id}/deletion`.
pub(crate) async fn delete(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<u32>,
) -> Result<Response, Rejection> {
    if let Some(secret) = &client.secret {
        let visitor = secret.visitor();
        let (store, clock) = (&*app.store, &*app.clock);
        let mut studies: Studies = visitor_data::read(store, &visitor, DataKind::Studies).await?;
        studies.delete(id);
        visitor_data::write(store, clock, &visitor, DataKind::Studies, &studies).await?;
    }
    Ok(match client.format {
        ResponseFormat::Json => StatusCode::NO_CONTENT.into_response(),
        _ => Redirect::to("/studies").into_response(),
    })
}
