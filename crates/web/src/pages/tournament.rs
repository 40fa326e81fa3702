//! A tournament that is being played, on a page of its own: nothing in it can be
//! changed, and it needs no scripts.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use papan_view::Messages;
use tokio::sync::Semaphore;

use crate::http::assets;
use crate::http::response::POLICY;

/// Browsers that look on at once; the others wait.
const ONLOOKERS: usize = 64;
/// How long one of them may take for a page.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the page of a tournament shows.
pub struct TournamentPage {
    /// The language of the page.
    pub words: Messages,
    /// What is played.
    pub title: String,
    /// How far it has come.
    pub progress: String,
    /// What has to be known about the results.
    pub warnings: Vec<String>,
    /// The games that are being played.
    pub boards: Vec<TournamentBoard>,
    /// The ratings as an SVG element; nothing where there are none.
    pub plot: String,
    /// The names of the table's columns.
    pub head: Vec<String>,
    /// Its rows, beginning with a name.
    pub rows: Vec<Vec<String>>,
}

/// A game that is being played.
pub struct TournamentBoard {
    /// Who plays, and how far they are.
    pub caption: String,
    /// The board as an SVG element.
    pub picture: String,
}

/// Makes the page as the tournament stands.
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

/// The site of a tournament: one page, and what it is drawn with.
pub fn tournament_app(source: TournamentSource) -> Router {
    Router::new()
        .route("/", get(show))
        .route("/assets/{tag}/{name}", get(assets::asset))
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(from_fn(protect))
        .with_state(source)
}

async fn show(State(source): State<TournamentSource>) -> Response {
    let page = Page { page: source() };
    match page.render() {
        Ok(text) => Html(text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The headers that protect every page of the site.
async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Shows a tournament at an address until the program ends; the address where it is.
///
/// # Errors
/// When nobody can listen there.
pub fn show_tournament(address: SocketAddr, source: TournamentSource) -> io::Result<SocketAddr> {
    let door = TcpListener::bind(address)?;
    door.set_nonblocking(true)?;
    let address = door.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::Builder::new()
        .name("live".into())
        .spawn(move || runtime.block_on(admit(door, tournament_app(source))))?;
    Ok(address)
}

/// Answers whoever comes, so many at once, each within its time.
async fn admit(door: TcpListener, site: Router) {
    let Ok(door) = tokio::net::TcpListener::from_std(door) else {
        return;
    };
    let places = Arc::new(Semaphore::new(ONLOOKERS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let Ok((stream, _)) = door.accept().await else {
            // No file is free, perhaps: the next moment is better.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(site.clone());
        tokio::spawn(async move {
            let answered = http1::Builder::new()
                .timer(TokioTimer::new())
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), service);
            let _ = tokio::time::timeout(PATIENCE, answered).await;
            drop(place);
        });
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
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
        let style = assets::address("papan.css");
        assert_eq!(ask("GET", style).await.0, StatusCode::OK);
    }
}
