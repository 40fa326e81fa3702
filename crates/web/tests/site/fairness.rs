//! Shares of different addresses: proofs, pictures; and the database that cannot be written.

use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use papan_web::Settings;
use serde_json::{Value, json};

use crate::play::friends;
use crate::{Person, Site, patient, until};

/// Requests JSON as a client behind a proxy.
async fn get_as(site: &Site, address: &str, path: &str) -> (StatusCode, Value) {
    let request = Request::get(path)
        .header("x-forwarded-for", address)
        .header(header::ACCEPT, "application/json")
        .body(Body::empty())
        .unwrap();
    let response = site.send(request).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_short_proof_does_not_wait_for_long_ones_of_another_address() {
    let site = Site::with(Settings {
        trust_forwarded: true,
        studies_per_second: 1e6,
        ..patient()
    })
    .await;
    let mut statuses = Vec::new();
    for playouts in 5000..5005 {
        let path =
            format!("/proof?game=tictactoe:4x4&strategy=mcts(playouts={playouts},seed=1)&as=first");
        statuses.push(get_as(&site, "192.0.2.1", &path).await.0);
    }
    assert_eq!(statuses[..4], [StatusCode::OK; 4]);
    assert_eq!(statuses[4], StatusCode::TOO_MANY_REQUESTS);
    let start = Instant::now();
    until(async || {
        let path = "/proof?game=tictactoe&strategy=greedy&as=first";
        let (_, proof) = get_as(&site, "192.0.2.2", path).await;
        (proof["verdict"] == "can-lose").then_some(())
    })
    .await;
    // Two slices of two seconds, on a slow machine.
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(20), "{waited:?}");
    site.state.stop();
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_that_cannot_be_written_is_answered_503() {
    let site = Site::new().await;
    let (mut ann, _, game) = friends(&site).await;
    let path = site.database();
    let away = path.with_extension("away");
    std::fs::rename(&path, &away).unwrap();
    let moves = format!("{game}/moves");
    let (status, _) = ann
        .json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    let request = Request::get("/health").body(Body::empty()).unwrap();
    let response = site.send(request).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key(header::RETRY_AFTER));
    std::fs::rename(&away, &path).unwrap();
    let (status, _) = ann
        .json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn reserved_and_confusable_names_are_refused() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for (name, expected) in [
        ("Ann", StatusCode::OK),
        ("admin", StatusCode::UNPROCESSABLE_ENTITY),
        ("Аnn", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let body = json!({ "name": name });
        let (status, _) = ann.json(&site, "POST", "/me/name", body).await;
        assert_eq!(status, expected, "{name}");
    }
}
