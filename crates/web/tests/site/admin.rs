//! The admin listener: deletion, host and origin checks, a connection limit of its own.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use papan_store::Address;
use papan_web::{BoundAddresses, Settings};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tower::ServiceExt as _;

use crate::play::friends;
use crate::{Site, patient};

#[tokio::test]
async fn the_admin_listener_deletes_games_and_clients() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let (status, _) = ann.json(&site, "DELETE", &game, Value::Null).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "not for visitors");
    let visitor = format!("{game}/visitors/second");
    assert_eq!(delete(&site, &visitor, &[]).await, StatusCode::OK);
    let (status, _) = bob.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(delete(&site, &game, &[]).await, StatusCode::NOT_FOUND);
}

/// Sends DELETE to the admin listener with these headers besides `Host`.
async fn delete(site: &Site, path: &str, headers: &[(header::HeaderName, &str)]) -> StatusCode {
    let mut request = Request::delete(path);
    if headers.iter().all(|(name, _)| *name != header::HOST) {
        request = request.header(header::HOST, "127.0.0.1:9090");
    }
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let request = request.body(Body::empty()).unwrap();
    let response = papan_web::admin_app(&site.state).oneshot(request).await;
    response.unwrap().status()
}

#[tokio::test]
async fn the_admin_listener_answers_neither_foreign_hosts_nor_foreign_sites() {
    let site = Site::with(Settings {
        public_url: Some("https://play.example".into()),
        hosts: vec!["metrics.internal".into()],
        ..patient()
    })
    .await;
    let rebound = [(header::HOST, "evil.example:9090")];
    let status = delete(&site, "/names/Ann", &rebound).await;
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
    let foreign = [(header::ORIGIN, "https://evil.example")];
    let status = delete(&site, "/names/Ann", &foreign).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let given = [(header::HOST, "metrics.internal:9090")];
    assert_eq!(delete(&site, "/names/Ann", &given).await, StatusCode::OK);
}

/// Returns the status line of the response, or nothing if the connection is closed.
async fn status_line(address: std::net::SocketAddr, method: &str, path: &str) -> String {
    let request =
        format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    first_line(address, &request).await
}

/// Sends a request and returns the first line of the response.
async fn first_line(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut response = String::new();
    // A refused connection is closed before or after it is written to.
    let _ = stream.write_all(request.as_bytes()).await;
    let _ = stream.read_to_string(&mut response).await;
    response.lines().next().unwrap_or("").into()
}

#[tokio::test]
async fn visitors_that_use_up_all_connections_do_not_keep_operators_out() {
    let folder = tempfile::tempdir().unwrap();
    let any_port = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    let settings = Settings {
        listen: any_port,
        metrics_listen: Some(any_port),
        database: Address::Sqlite(folder.path().join("games.sqlite")),
        connections: 5,
        ..Settings::default()
    };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let (ready, bound) = tokio::sync::oneshot::channel();
    let server = tokio::spawn(async move {
        let stopped = async {
            let _ = stopped.await;
        };
        let report = move |bound: BoundAddresses| ready.send(bound).unwrap();
        papan_web::serve(settings, stopped, report).await
    });
    let bound = bound.await.unwrap();
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(TcpStream::connect(bound.public).await.unwrap());
    }
    assert_eq!(status_line(bound.public, "GET", "/health").await, "");
    let admin = bound.admin.unwrap();
    for _ in 0..100 {
        for (method, path, status) in [
            ("GET", "/health", "200 OK"),
            ("GET", "/metrics", "200 OK"),
            ("DELETE", "/names/Ann%237h2k-9xqd-m4vc", "200 OK"),
            ("DELETE", "/games/AAAAAAAAAAAAAAAAAAAAAAAA", "404 Not Found"),
        ] {
            let line = status_line(admin, method, path).await;
            assert_eq!(line, format!("HTTP/1.1 {status}"), "{method} {path}");
        }
    }
    drop(held);
    let request = "GET /health HTTP/1.1\nhost: localhost\nconnection: close\n\n";
    assert_eq!(first_line(admin, request).await, "", "bare LF");
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
}
