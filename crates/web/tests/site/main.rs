//! Integration tests against the router, without a socket.
// Needs the PostgreSQL of a Unix system.
#![cfg(unix)]

mod admin;
mod browser_path;
mod engine;
mod fairness;
mod guards;
mod imports;
mod indonesian;
mod offers;
mod people;
mod play;
#[path = "../../../store/tests/postgres/mod.rs"]
mod postgres;
mod programs;
mod seats;
mod servers;
mod setup;
mod sizes;
mod streams;
mod studies;
mod swap;
mod traces;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use papan_store::SqliteGames;
use papan_strategies::ManualClock;
use papan_web::{AppState, Settings, app};
use serde_json::Value;
use tower::ServiceExt;

/// A site with its own database.
pub(crate) struct Site {
    pub(crate) state: AppState,
    /// The clock, which only tests advance.
    pub(crate) clock: ManualClock,
    router: Router,
    folder: tempfile::TempDir,
}

impl Site {
    pub(crate) async fn new() -> Self {
        Self::with(patient()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        Self::over(
            tempfile::tempdir().unwrap(),
            settings,
            ManualClock::default(),
        )
        .await
    }

    async fn over(folder: tempfile::TempDir, settings: Settings, clock: ManualClock) -> Self {
        let path = folder.path().join("games.sqlite");
        let games = Arc::new(SqliteGames::open(&path).await.unwrap());
        let wall_clock = Arc::new(clock.clone());
        let state = AppState::open(settings, games, wall_clock).await.unwrap();
        Self {
            router: app(&state),
            state,
            clock,
            folder,
        }
    }

    /// Returns the path of the database.
    pub(crate) fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("games.sqlite")
    }

    /// Reopens the database, as after a restart.
    pub(crate) async fn restarted(self) -> Self {
        self.restarted_after(Duration::ZERO).await
    }

    pub(crate) async fn restarted_after(self, down: Duration) -> Self {
        let settings = Settings::clone(&self.state.settings);
        self.restarted_with(settings, down).await
    }

    /// Reopens the database with other settings.
    pub(crate) async fn restarted_with(self, settings: Settings, down: Duration) -> Self {
        self.state.stop();
        self.state.store.close().await.unwrap();
        self.clock.advance(down);
        Self::over(self.folder, settings, self.clock).await
    }

    /// Sends a request, with a `Host` header unless it has one.
    pub(crate) async fn send(&self, mut request: Request<Body>) -> Response<Body> {
        let host = HeaderValue::from_static("localhost:7272");
        request.headers_mut().entry(header::HOST).or_insert(host);
        self.send_unchanged(request).await
    }

    pub(crate) async fn send_unchanged(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }
}

/// Settings for tests that poll a page while the clock does not advance.
pub(crate) fn patient() -> Settings {
    Settings {
        pages_per_second: 1e6,
        reads_per_second: 1e6,
        ..Settings::default()
    }
}

/// Polls until there is an answer; panics after five minutes.
pub(crate) async fn until<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let answered = tokio::time::timeout(Duration::from_secs(300), asking).await;
    answered.expect("polling timed out")
}

/// A client with a cookie jar.
#[derive(Clone, Default)]
pub(crate) struct Person {
    cookie: Option<String>,
    language: Option<&'static str>,
}

impl Person {
    pub(crate) fn speaking(language: &'static str) -> Self {
        Self {
            cookie: None,
            language: Some(language),
        }
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        if let Some(language) = self.language {
            request = request.header(header::ACCEPT_LANGUAGE, language);
        }
        request.header(header::HOST, "localhost:7272")
    }

    /// Stores a cookie and replaces the one of the same name.
    fn keep(&mut self, cookie: &str) {
        let name = cookie.split('=').next();
        let kept = self.cookie.take().unwrap_or_default();
        let mut kept: Vec<&str> = kept
            .split("; ")
            .filter(|old| !old.is_empty() && old.split('=').next() != name)
            .collect();
        kept.push(cookie);
        self.cookie = Some(kept.join("; "));
    }

    async fn take(&mut self, response: Response<Body>) -> (StatusCode, String, String) {
        let status = response.status();
        let headers = response.headers();
        for cookie in headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap();
            self.keep(cookie);
        }
        let place = headers.get(header::LOCATION);
        let place = place.map_or("", |place| place.to_str().unwrap()).to_owned();
        let body = to_bytes(response.into_body(), 1 << 22).await.unwrap();
        (status, place, String::from_utf8(body.to_vec()).unwrap())
    }

    /// Sends a request as an API client.
    pub(crate) async fn json(
        &mut self,
        site: &Site,
        method: &str,
        path: &str,
        body: Value,
    ) -> (StatusCode, Value) {
        let request = self
            .request(method, path)
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/json");
        let body = if method == "GET" {
            String::new()
        } else {
            body.to_string()
        };
        let response = site.send(request.body(Body::from(body)).unwrap()).await;
        let (status, _, text) = self.take(response).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// Requests a page.
    pub(crate) async fn page(&mut self, site: &Site, path: &str) -> (StatusCode, String) {
        let request = self
            .request("GET", path)
            .header(header::ACCEPT, "text/html");
        let response = site.send(request.body(Body::empty()).unwrap()).await;
        let (status, _, text) = self.take(response).await;
        (status, text)
    }

    /// Requests a page and returns its redirect.
    pub(crate) async fn led(&mut self, site: &Site, path: &str) -> (StatusCode, String) {
        let request = self
            .request("GET", path)
            .header(header::ACCEPT, "text/html");
        let response = site.send(request.body(Body::empty()).unwrap()).await;
        let (status, place, _) = self.take(response).await;
        (status, place)
    }

    /// Downloads a file and returns its media type and bytes.
    pub(crate) async fn file(&mut self, site: &Site, path: &str) -> (String, Vec<u8>) {
        let request = self.request("GET", path).body(Body::empty()).unwrap();
        let response = site.send(request).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap();
        let kind = kind.to_owned();
        let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
        (kind, bytes.to_vec())
    }

    /// Submits a form and returns its redirect.
    pub(crate) async fn form(
        &mut self,
        site: &Site,
        path: &str,
        body: &str,
    ) -> (StatusCode, String, String) {
        let request = self
            .request("POST", path)
            .header(header::ACCEPT, "text/html")
            .header(header::ORIGIN, "http://localhost:7272")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let response = site
            .send(request.body(Body::from(body.to_owned())).unwrap())
            .await;
        self.take(response).await
    }
}
