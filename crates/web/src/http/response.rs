//! Outermost middleware: renders rejections, adds security headers, counts and logs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{HttpBody as _, to_bytes};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use papan_view::Messages;
use serde::Serialize;

use crate::game::snapshot::GameSnapshot;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::{Malformed, Rejection};
use crate::http::security_headers::{self, Framing};
use crate::state::AppState;
use papan_pages::error::rejection_page;

/// `Retry-After` while the database is unavailable, in seconds.
const STORE_RETRY_AFTER: u64 = 5;
/// Maximum length of a parser message that is repeated to the client.
const MAX_DETAIL: usize = 1000;

/// A rejection as JSON.
#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a str,
    /// The field of the request that was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    /// The current state of the game, for a conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a GameSnapshot>,
    /// Parser error, for API clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
}

impl<'a> ErrorBody<'a> {
    fn new(rejection: &'a Rejection, sentence: &'a str) -> Self {
        let mut body = Self {
            error: sentence,
            field: None,
            state: None,
            detail: None,
        };
        match rejection {
            Rejection::Stale { now, .. } => body.state = Some(now),
            Rejection::UnusableField { field, .. } => body.field = Some(field),
            _ => body.detail = rejection.detail(),
        }
        body
    }
}

/// Renders rejections, adds headers, counts and logs.
pub(crate) async fn finish(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let client = Client::new(
        request.headers(),
        peer.map(|peer| peer.0),
        &app.settings,
        &app.identity_key,
    );
    let method = request.method().clone();
    let has_body = !request.body().is_end_stream();
    // The pattern, not the path: a game id is a capability and does not belong in a log.
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("-", |route| route.as_str()).to_owned();
    let mut response = next.run(request).await;
    if let Some(rejection) = rejection_of(&mut response).await {
        response = render(&rejection, &client, &method, &response);
        if has_body && rejection.leaves_body_unread() {
            // The connection cannot be reused (RFC 9112, section 9.3).
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
    }
    let framing = if app.settings.embedding && route.starts_with("/embed") {
        Framing::Allowed
    } else {
        Framing::Denied
    };
    security_headers::add(&mut response, framing, app.settings.engine.is_some());
    let took = start.elapsed();
    let status = response.status().as_u16();
    app.metrics.response(status, took);
    let micros = took.as_micros() as u64;
    match response.status() {
        // A client can cause these at any rate.
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
            if !app.refusal_log.allows(client.address, app.clock.now()) => {}
        StatusCode::TOO_MANY_REQUESTS => {
            // Without the address, which is never written.
            let message = "refused; more from this address are not logged for a minute";
            tracing::warn!(%method, route, status, message);
        }
        error if error.is_server_error() => {
            tracing::error!(%method, route, status, micros, "response");
        }
        _ => tracing::debug!(%method, route, status, micros, "response"),
    }
    response
}

/// Returns the rejection behind a response, including those of axum and tower-http.
async fn rejection_of(response: &mut Response) -> Option<Arc<Rejection>> {
    if let Some(rejection) = response.extensions().get::<Arc<Rejection>>() {
        return Some(Arc::clone(rejection));
    }
    let has_body = response.headers().contains_key(header::CONTENT_TYPE);
    let rejection = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => Rejection::WrongMethod,
        StatusCode::PAYLOAD_TOO_LARGE => Rejection::TooLarge,
        StatusCode::FORBIDDEN if !has_body => Rejection::ForeignSite,
        StatusCode::REQUEST_TIMEOUT => Rejection::Busy,
        StatusCode::BAD_REQUEST => {
            let body = std::mem::take(response.body_mut());
            let message = to_bytes(body, MAX_DETAIL).await.unwrap_or_default();
            Malformed::Url(String::from_utf8_lossy(&message).into()).into()
        }
        status if status.is_server_error() => Rejection::Internal,
        _ => return None,
    };
    Some(Arc::new(rejection))
}

fn render(
    rejection: &Rejection,
    client: &Client,
    method: &Method,
    original: &Response,
) -> Response {
    let words = client.words;
    let sentence = sentence(words, rejection);
    let status = rejection.status();
    let mut response = if client.format == ResponseFormat::Page {
        let game = match rejection {
            Rejection::InvitationUsed { game } => Some(game.clone()),
            Rejection::Stale { now, .. } => Some(now.id.clone()),
            _ => None,
        };
        let page = rejection_page(&client.page(), sentence, rejection.detail(), game);
        (status, Html(page.unwrap_or_default())).into_response()
    } else {
        (status, axum::Json(ErrorBody::new(rejection, &sentence))).into_response()
    };
    let headers = response.headers_mut();
    let retry_after = match rejection {
        Rejection::TooMany { seconds } => Some(*seconds),
        Rejection::StoreUnavailable => Some(STORE_RETRY_AFTER),
        _ => None,
    };
    if let Some(seconds) = retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if matches!(rejection, Rejection::NoSecret) {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(allow) = original.headers().get(header::ALLOW) {
        headers.insert(header::ALLOW, allow.clone());
    }
    if method == Method::HEAD {
        *response.body_mut() = axum::body::Body::empty();
    }
    response
}

/// Returns the localized message of a rejection.
fn sentence(words: Messages, rejection: &Rejection) -> String {
    match rejection {
        Rejection::NotFound => words.text("web-not-found"),
        Rejection::Malformed(malformed) => malformed_sentence(words, malformed),
        Rejection::Unusable(what) | Rejection::UnusableField { what, .. } => what.clone(),
        Rejection::NoInvitation => words.text("web-no-invitation"),
        Rejection::NoSecret => words.text("web-no-secret"),
        Rejection::NotYourSeat => words.text("web-not-your-seat"),
        Rejection::Stale { why, .. } => words.text(why.key()),
        Rejection::InvitationUsed { .. } => words.text("web-invitation-spent"),
        Rejection::LinkUsed => words.text("web-link-used"),
        Rejection::KeyReused => words.text("web-key-reused"),
        Rejection::TooMany { seconds } => {
            words.with("web-too-many", [("seconds", seconds.to_string().into())])
        }
        Rejection::TooManyJobs { limit } => {
            words.with("web-enough-under-way", [("most", limit.to_string().into())])
        }
        Rejection::NoAnswer(failure) => {
            words.with("web-no-answer", [("reason", failure.text(words).into())])
        }
        Rejection::UnknownHost => words.text("web-unknown-host"),
        Rejection::Busy => words.text("web-busy"),
        Rejection::ForeignSite => words.text("web-foreign-site"),
        Rejection::WrongMethod => words.text("web-wrong-method"),
        Rejection::TooLarge => words.text("web-too-large"),
        Rejection::StoreUnavailable => words.text("web-unreachable"),
        Rejection::Internal => words.text("web-broken"),
    }
}

fn malformed_sentence(words: Messages, malformed: &Malformed) -> String {
    match malformed {
        Malformed::Host => words.text("web-no-host"),
        Malformed::Url(_) => words.text("web-wrong-address"),
        Malformed::Body(_) => words.text("web-malformed"),
        Malformed::NotAnObject => words.text("web-send-object"),
        Malformed::MediaType => words.text("web-send-kind"),
        Malformed::KeyText => words.text("web-key-not-plain"),
        Malformed::KeyLength(limit) => {
            words.with("web-key-too-long", [("most", limit.to_string().into())])
        }
    }
}
