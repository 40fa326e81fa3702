//! Middleware in front of the handlers: rate limits and the page cache.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::client::Client;
use crate::http::page_cache::{CachedPage, PageKey};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Limits the rate of state-changing requests per address.
pub(crate) async fn limit_changes(
    State(app): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    if request.method() == Method::POST
        && let Err(wait) = app.limits.changes.take(client.address, app.clock.now())
    {
        return Rejection::too_many(wait).into_response();
    }
    next.run(request).await
}

/// Answers an expensive page from the cache, or renders it against the rate limit of its
/// address.
pub(crate) async fn cache_pages(
    State(app): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    let key = PageKey::new(&client, request.method(), request.uri());
    if let Some(page) = key.as_ref().and_then(|key| app.page_cache.get(key)) {
        return ([(header::CONTENT_TYPE, page.content_type)], page.body).into_response();
    }
    if let Err(wait) = app.limits.pages.take(client.address, app.clock.now()) {
        return Rejection::too_many(wait).into_response();
    }
    let response = next.run(request).await;
    match key {
        Some(key) if response.status() == StatusCode::OK => store(&app, key, response).await,
        _ => response,
    }
}

async fn store(app: &AppState, key: PageKey, response: Response) -> Response {
    let Some(content_type) = response.headers().get(header::CONTENT_TYPE).cloned() else {
        return response;
    };
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return Rejection::Internal.into_response();
    };
    let page = CachedPage {
        content_type,
        body: body.clone(),
    };
    app.page_cache.insert(key, page);
    Response::from_parts(parts, Body::from(body))
}
