//! The live page of a running tournament: read-only, on its own listener, without scripts.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use papan_view::Messages;
use tokio::sync::Semaphore;

use crate::handlers::assets;
use crate::http::security_headers::{self, Framing};

/// Maximum number of connections.
const MAX_CONNECTIONS: usize = 64;
/// Time limit of a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(20);

/// The contents of the page.
pub struct TournamentPage {
    /// Messages in the language of the page.
    pub words: Messages,
    /// Title.
    pub title: String,
    /// Progress.
    pub progress: String,
    /// Warnings about the results.
    pub warnings: Vec<String>,
    /// Games in progress.
    pub boards: Vec<TournamentBoard>,
    /// Ratings as an SVG element; empty if there are none.
    pub plot: String,
    /// Column headings of the table.
    pub head: Vec<String>,
    /// Rows of the table; the first cell is a name.
    pub rows: Vec<Vec<String>>,
}

/// A game in progress.
pub struct TournamentBoard {
    /// Players and move number.
    pub caption: String,
    /// Board as an SVG element.
    pub picture: String,
}

/// Returns the current contents.
pub type TournamentSource = Arc<dyn Fn() -> TournamentPage + Send + Sync>;

#[derive(Template)]
#[template(path = "tournament.html")]
struct Page {
    page: TournamentPage,
}

impl Page {
    fn t(&self, key: &str) -> String {
        self.page.words.text(key)
    }
}

/// Returns the router of the site: one page and its assets.
pub fn tournament_app(source: TournamentSource) -> Router {
    Router::new()
        .route("/", get(show))
        .route("/assets/{tag}/{name}", get(assets::asset))
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(from_fn(add_security_headers))
        .with_state(source)
}

async fn show(State(source): State<TournamentSource>) -> Response {
    let page = Page { page: source() };
    match page.render() {
        Ok(text) => Html(text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn add_security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    security_headers::add(&mut response, Framing::Denied, false);
    response
}

/// Serves the page on a thread until the program ends, and returns the bound address.
///
/// # Errors
/// If the address cannot be bound.
pub fn show_tournament(address: SocketAddr, source: TournamentSource) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::Builder::new()
        .name("live".into())
        .spawn(move || runtime.block_on(accept_loop(listener, tournament_app(source))))?;
    Ok(address)
}

async fn accept_loop(listener: TcpListener, router: Router) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // For instance because no file descriptor is free.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), service);
            let _ = tokio::time::timeout(CONNECTION_TIMEOUT, connection).await;
            drop(permit);
        });
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::header;
    use papan_view::Language;
    use tower::ServiceExt as _;

    use super::*;

    async fn ask(method: &str, path: &str) -> (StatusCode, String, String) {
        let source: TournamentSource = Arc::new(|| TournamentPage {
            words: Messages::new(Language::Indonesian),
            title: "othello".into(),
            progress: "3 / 100".into(),
            warnings: vec!["<b>".into()],
            boards: vec![TournamentBoard {
                caption: "a – b".into(),
                picture: "<svg class=\"x\"></svg>".into(),
            }],
            plot: String::new(),
            head: vec!["pemain".into(), "Elo".into()],
            rows: vec![vec!["a & b".into(), "+3".into()]],
        });
        let request = Request::builder().method(method).uri(path);
        let request = request.body(Body::empty()).unwrap();
        let response = tournament_app(source).oneshot(request).await.unwrap();
        let status = response.status();
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str();
        let policy = policy.unwrap().to_owned();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, policy, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn the_page_shows_everything_and_runs_nothing() {
        let (status, policy, page) = ask("GET", "/").await;
        assert_eq!(status, StatusCode::OK);
        assert!(policy.contains("default-src 'none'"));
        for part in [
            "lang=\"id\"",
            "http-equiv=\"refresh\"",
            "<svg class=\"x\"></svg>",
            "a – b",
            "a &#38; b",
            "&#60;b&#62;",
            "3 / 100",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("<script") && !page.contains("<form"));
    }

    #[tokio::test]
    async fn nothing_else_is_there_and_nothing_can_be_sent() {
        assert_eq!(ask("GET", "/games").await.0, StatusCode::NOT_FOUND);
        assert_eq!(ask("POST", "/").await.0, StatusCode::METHOD_NOT_ALLOWED);
        let style = papan_pages::assets::url("papan.css");
        assert_eq!(ask("GET", style).await.0, StatusCode::OK);
    }
}
