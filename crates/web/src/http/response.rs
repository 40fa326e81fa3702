//! What every response gets: rejections in words, headers that protect, a line in
//! the log.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use askama::Template;
use axum::body::to_bytes;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use papan_view::Messages;
use serde::Serialize;

use crate::game::snapshot::GameSnapshot;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::{Malformed, Rejection};
use crate::pages::layout::Layout;
use crate::state::AppState;

/// After how many seconds to ask again while the database is away.
const AWAY_SECONDS: u64 = 5;

/// Nothing from elsewhere, no script or style inside a page, no frames.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; layout-ancestors 'none'";

/// The same for a page that other sites may show inside theirs.
const FRAMED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; base-uri 'none'; form-action 'none'; layout-ancestors *";

/// More of what the framework says of an address is not repeated.
const LONGEST_DETAIL: usize = 1000;

#[derive(Template)]
#[template(path = "rejection.html")]
struct RejectionPage<'a> {
    layout: Layout,
    sentence: String,
    detail: Option<&'a str>,
    game: Option<String>,
}

/// A rejection, as JSON.
#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
    /// The field of the request whose value it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    /// The game as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a GameSnapshot>,
    /// For whoever wrote the program: what the reader of the request said.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
}

impl<'a> Refusal<'a> {
    fn of(rejection: &'a Rejection, sentence: &'a str) -> Self {
        let mut refusal = Self {
            error: sentence,
            field: None,
            state: None,
            detail: None,
        };
        match rejection {
            Rejection::Stale { now, .. } => refusal.state = Some(now),
            Rejection::UnusableField { field, .. } => refusal.field = Some(field),
            _ => refusal.detail = rejection.detail(),
        }
        refusal
    }
}

/// Puts rejections into words, adds the headers, counts and logs.
pub(crate) async fn finish(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let client = Client::of(request.headers(), peer.map(|peer| peer.0), &app);
    let method = request.method().clone();
    // The pattern, not the path: addresses of games are secrets of a kind.
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("-", |path| path.as_str()).to_owned();
    let mut response = next.run(request).await;
    if let Some(rejection) = rejection_of(&mut response).await {
        response = worded(&rejection, &client, &method, &response);
    }
    protect(
        &mut response,
        app.settings.embedding && path.starts_with("/embed"),
    );
    let took = began.elapsed();
    let status = response.status().as_u16();
    app.metrics.response(status, took);
    let micros = took.as_micros() as u64;
    match status {
        500.. => tracing::error!(%method, path, status, micros, "answered"),
        _ => tracing::debug!(%method, path, status, micros, "answered"),
    }
    response
}

/// The rejection behind a response; what the framework refused by itself gets one too.
async fn rejection_of(response: &mut Response) -> Option<Arc<Rejection>> {
    if let Some(rejection) = response.extensions().get::<Arc<Rejection>>() {
        return Some(Arc::clone(rejection));
    }
    let explained = response.headers().contains_key(header::CONTENT_TYPE);
    let rejection = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => Rejection::WrongMethod,
        StatusCode::PAYLOAD_TOO_LARGE => Rejection::TooLarge,
        StatusCode::FORBIDDEN if !explained => Rejection::ForeignSite,
        StatusCode::REQUEST_TIMEOUT => Rejection::Busy,
        StatusCode::BAD_REQUEST => {
            let body = std::mem::take(response.body_mut());
            let said = to_bytes(body, LONGEST_DETAIL).await.unwrap_or_default();
            Malformed::Address(String::from_utf8_lossy(&said).into()).into()
        }
        status if status.is_server_error() => Rejection::Broken,
        _ => return None,
    };
    Some(Arc::new(rejection))
}

fn worded(rejection: &Rejection, client: &Client, method: &Method, before: &Response) -> Response {
    let words = client.words;
    let sentence = match rejection {
        Rejection::NotFound => words.text("web-not-found"),
        Rejection::Malformed(what) => malformed(words, what),
        Rejection::Unusable(what) | Rejection::UnusableField { what, .. } => what.clone(),
        Rejection::NoInvitation => words.text("web-no-invitation"),
        Rejection::NoSecret => words.text("web-no-secret"),
        Rejection::NotYourSeat => words.text("web-not-your-seat"),
        Rejection::Stale { why, .. } => words.text(why.key()),
        Rejection::Spent { .. } => words.text("web-invitation-spent"),
        Rejection::LinkUsed => words.text("web-link-used"),
        Rejection::KeyReused => words.text("web-key-reused"),
        Rejection::TooMany { seconds } => {
            words.with("web-too-many", [("seconds", seconds.to_string().into())])
        }
        Rejection::EnoughUnderWay { most } => {
            words.with("web-enough-under-way", [("most", most.to_string().into())])
        }
        Rejection::NoAnswer(fault) => {
            words.with("web-no-answer", [("reason", fault.text(words).into())])
        }
        Rejection::Busy => words.text("web-busy"),
        Rejection::ForeignSite => words.text("web-foreign-site"),
        Rejection::WrongMethod => words.text("web-wrong-method"),
        Rejection::TooLarge => words.text("web-too-large"),
        Rejection::Away => words.text("web-unreachable"),
        Rejection::Broken => words.text("web-broken"),
    };
    let status = rejection.status();
    let mut response = if client.format == ResponseFormat::Page {
        let game = match rejection {
            Rejection::Spent { game } => Some(game.clone()),
            Rejection::Stale { now, .. } => Some(now.id.clone()),
            _ => None,
        };
        let layout = Layout::new(client, words.text("web-refused"), "/");
        let page = RejectionPage {
            layout,
            detail: rejection.detail(),
            sentence,
            game,
        };
        (status, Html(page.render().unwrap_or_default())).into_response()
    } else {
        (status, axum::Json(Refusal::of(rejection, &sentence))).into_response()
    };
    let again = match rejection {
        Rejection::TooMany { seconds } => Some(*seconds),
        Rejection::Away => Some(AWAY_SECONDS),
        _ => None,
    };
    if let Some(seconds) = again {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if matches!(rejection, Rejection::NoSecret) {
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(allow) = before.headers().get(header::ALLOW) {
        response.headers_mut().insert(header::ALLOW, allow.clone());
    }
    if method == Method::HEAD {
        *response.body_mut() = axum::body::Body::empty();
    }
    response
}

fn malformed(words: Messages, what: &Malformed) -> String {
    match what {
        Malformed::Address(_) => words.text("web-wrong-address"),
        Malformed::Body(_) => words.text("web-malformed"),
        Malformed::NotAnObject => words.text("web-send-object"),
        Malformed::Kind => words.text("web-send-kind"),
        Malformed::KeyText => words.text("web-key-not-plain"),
        Malformed::KeyLength(most) => {
            words.with("web-key-too-long", [("most", most.to_string().into())])
        }
    }
}

fn protect(response: &mut Response, may_be_framed: bool) {
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if may_be_framed {
        headers.remove(header::X_FRAME_OPTIONS);
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(FRAMED_POLICY),
        );
    }
    // Pages show what only this client may see.
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
