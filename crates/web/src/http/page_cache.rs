//! Pages whose answer depends on their address and the language alone, kept for the
//! next who asks, and the price of making one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// What all kept pages may take, in bytes.
const MOST: usize = 16 << 20;
/// A longer address is not worth keeping.
const LONGEST_NAME: usize = 8 << 10;
/// A larger page is not kept.
const LARGEST: usize = 1 << 20;

struct Kept {
    kind: HeaderValue,
    body: Bytes,
    used: u64,
}

#[derive(Default)]
struct Inside {
    pages: HashMap<String, Kept>,
    bytes: usize,
    clock: u64,
}

/// Pages that were made before.
#[derive(Default)]
pub(crate) struct PageCache(Mutex<Inside>);

impl PageCache {
    fn find(&self, name: &str) -> Option<(HeaderValue, Bytes)> {
        let mut inside = self.0.lock().expect("no panic inside");
        inside.clock += 1;
        let clock = inside.clock;
        let kept = inside.pages.get_mut(name)?;
        kept.used = clock;
        Some((kept.kind.clone(), kept.body.clone()))
    }

    fn keep(&self, name: String, kind: HeaderValue, body: Bytes) {
        let mut inside = self.0.lock().expect("no panic inside");
        inside.bytes += name.len() + body.len();
        inside.clock += 1;
        let used = inside.clock;
        let length = name.len();
        let before = inside.pages.insert(name, Kept { kind, body, used });
        if let Some(before) = before {
            inside.bytes -= length + before.body.len();
        }
        // Whatever was used longest ago goes first.
        while inside.bytes > MOST {
            let oldest = inside.pages.iter().min_by_key(|(_, kept)| kept.used);
            let Some(name) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            if let Some(gone) = inside.pages.remove(&name) {
                inside.bytes -= name.len() + gone.body.len();
            }
        }
    }
}

/// Answers from what is kept, or makes the page: then it counts against the rate of
/// its address.
pub(crate) async fn costly(
    State(app): State<Arc<AppState>>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    let name = name_of(&client, &request);
    if let Some((kind, body)) = name.as_deref().and_then(|name| app.pages.find(name)) {
        return ([(header::CONTENT_TYPE, kind)], body).into_response();
    }
    if let Err(wait) = app.gates.pages.take(client.address, app.now()) {
        let seconds = wait.as_secs() + 1;
        return Rejection::TooMany { seconds }.into_response();
    }
    let response = next.run(request).await;
    match name {
        Some(name) if response.status() == StatusCode::OK => keep(&app, name, response).await,
        _ => response,
    }
}

/// What a page is kept under, if it may be: nothing that a strategy says or that is
/// still being made.
fn name_of(client: &Client, request: &Request) -> Option<String> {
    let uri = request.uri();
    let (path, query) = (uri.path(), uri.query().unwrap_or(""));
    let lasting =
        !matches!(path, "/review" | "/proof" | "/embed/proof") && !query.contains("strategy=");
    let form = match client.format {
        ResponseFormat::Page => "page",
        ResponseFormat::Part => "part",
        ResponseFormat::Json => "json",
    };
    let language = client.words.language().code();
    let may = request.method() == Method::GET && lasting && query.len() <= LONGEST_NAME;
    may.then(|| format!("{form} {language} {path}?{query}"))
}

async fn keep(app: &AppState, name: String, response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).cloned();
    let Some(kind) = kind else {
        return response;
    };
    let (parts, body) = response.into_parts();
    match to_bytes(body, usize::MAX).await {
        Ok(bytes) => {
            if bytes.len() <= LARGEST {
                app.pages.keep(name, kind, bytes.clone());
            }
            Response::from_parts(parts, Body::from(bytes))
        }
        Err(_) => Rejection::Broken.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first_and_the_whole_is_bounded() {
        let cache = PageCache::default();
        let kind = HeaderValue::from_static("text/html");
        let page = || Bytes::from(vec![0; LARGEST]);
        for number in 0..20 {
            cache.keep(number.to_string(), kind.clone(), page());
            assert!(cache.find("0").is_some(), "it is used all the time");
        }
        assert!(cache.find("1").is_none());
        assert!(cache.find("19").is_some());
        assert!(cache.0.lock().unwrap().bytes <= MOST);
    }
}
