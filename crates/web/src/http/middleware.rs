//! Middleware in front of the handlers: host check, rate limits, unsigned cookies, page cache.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::client::{Client, KnownSecret};
use crate::http::host::HostPolicy;
use crate::http::page_cache::{CachedPage, PageKey};
use crate::http::rejection::Rejection;
use crate::state::AppState;
use crate::visitor_data;

/// Cost of a static file or a health check, in tokens.
const STATIC_COST: f64 = 0.1;
/// Pause before a 429.
const THROTTLE: Duration = Duration::from_millis(200);

/// Rejects requests for hosts that are not served here.
pub(crate) async fn check_host(
    State(policy): State<HostPolicy>,
    request: Request,
    next: Next,
) -> Response {
    let checked = policy.check(request.version(), request.uri(), request.headers());
    match checked {
        Ok(()) => next.run(request).await,
        Err(rejection) => rejection.into_response(),
    }
}

/// Limits the rate of all requests per address.
pub(crate) async fn limit_rate(
    State(app): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    let now = app.clock.now();
    let taken = if request.method().is_safe() {
        let cost = cost_of(request.uri().path());
        app.limits.reads.take_cost(client.address, cost, now)
    } else {
        app.limits.changes.take(client.address, now)
    };
    match taken {
        Ok(()) => next.run(request).await,
        Err(wait) => throttle(wait).await,
    }
}

/// Returns the cost of a read in tokens.
fn cost_of(path: &str) -> f64 {
    let is_static = path.starts_with("/assets/")
        || path.starts_with("/engine/")
        || matches!(path, "/openapi.json" | "/health");
    if is_static { STATIC_COST } else { 1.0 }
}

/// Answers 429 after a pause, which slows down clients that retry at once.
async fn throttle(wait: Duration) -> Response {
    tokio::time::sleep(THROTTLE).await;
    Rejection::too_many(wait).into_response()
}

/// Accepts the unsigned cookie of a visitor whom the database knows, and sets the signed one.
///
/// A store that fails is an error: as a stranger the visitor would get a new identity.
pub(crate) async fn accept_unsigned_cookie(
    State(app): State<AppState>,
    client: Client,
    mut request: Request,
    next: Next,
) -> Result<Response, Rejection> {
    let Some(secret) = client.unsigned.clone() else {
        return Ok(next.run(request).await);
    };
    if !visitor_data::is_known(&*app.store, &secret.visitor()).await? {
        return Ok(next.run(request).await);
    }
    request.extensions_mut().insert(KnownSecret(secret.clone()));
    let mut response = next.run(request).await;
    client.keep_secret(&secret, response.headers_mut());
    Ok(response)
}

/// Answers from the page cache, or renders and stores the page.
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
    let response = next.run(request).await;
    match key {
        Some(key) if response.status() == StatusCode::OK => store(&app, key, response).await,
        _ => response,
    }
}

/// Limits the rate of expensive pages per address.
pub(crate) async fn limit_expensive_pages(
    State(app): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    match app.limits.pages.take(client.address, app.clock.now()) {
        Ok(()) => next.run(request).await,
        Err(wait) => throttle(wait).await,
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
