//! Sizes of responses on the wire.

use std::io::Read as _;

use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};

use crate::{Person, Site, until};

/// Requests a URL with gzip accepted; returns the body on the wire and decoded.
async fn fetch(site: &Site, who: &Person, path: &str, part: bool) -> (Vec<u8>, String) {
    let mut request = who
        .request("GET", path)
        .header(header::ACCEPT, "text/html")
        .header(header::ACCEPT_ENCODING, "gzip, deflate, br, zstd");
    if part {
        request = request.header("x-papan-part", "1");
    }
    let response = site
        .send(request.body(axum::body::Body::empty()).unwrap())
        .await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    assert_eq!(
        response.headers()[header::CONTENT_ENCODING],
        "gzip",
        "{path}"
    );
    let vary = response.headers().get_all(header::VARY);
    assert!(
        vary.iter()
            .any(|vary| vary.as_bytes().eq_ignore_ascii_case(b"accept-encoding"))
    );
    let bytes = to_bytes(response.into_body(), 1 << 22)
        .await
        .unwrap()
        .to_vec();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap();
    (bytes, text)
}

#[tokio::test]
async fn the_first_page_with_its_files_has_at_most_25_kib() {
    let site = Site::new().await;
    let ann = Person::default();
    let (bytes, page) = fetch(&site, &ann, "/", false).await;
    let mut total = bytes.len();
    let files = page
        .split(['"'])
        .filter(|text| text.starts_with("/assets/"));
    let needed = |file: &&str| file.ends_with(".css") || file.ends_with(".js");
    let mut count = 0;
    for file in files.filter(needed) {
        total += fetch(&site, &ann, file, false).await.0.len();
        count += 1;
    }
    assert!(count >= 2, "style and script");
    assert!(total <= 25 * 1024, "{total} bytes");
}

#[tokio::test]
async fn an_own_move_and_the_reply_have_at_most_8_kib() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "othello", "second": "computer(level=1)" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let mut total = 0;
    // The answer to the move, and the page after the reply.
    ann.json(
        &site,
        "POST",
        &format!("{game}/moves"),
        json!({ "move": "f5" }),
    )
    .await;
    total += fetch(&site, &ann, &game, true).await.0.len();
    until(async || {
        let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
        (state["moves"].as_array().unwrap().len() == 2).then_some(())
    })
    .await;
    total += fetch(&site, &ann, &game, true).await.0.len();
    assert!(total <= 8 * 1024, "{total} bytes");
}

#[tokio::test]
async fn streams_and_small_answers_are_not_compressed() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, made) = ann
        .json(&site, "POST", "/games", json!({ "game": "othello" }))
        .await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    for path in ["/health", &format!("{game}/events")] {
        let request = ann
            .request("GET", path)
            .header(header::ACCEPT_ENCODING, "gzip");
        let response = site
            .send(request.body(axum::body::Body::empty()).unwrap())
            .await;
        assert_eq!(response.status(), StatusCode::OK);
        assert!(
            !response.headers().contains_key(header::CONTENT_ENCODING),
            "{path}"
        );
    }
}

#[tokio::test]
async fn links_have_a_preview_and_the_site_can_be_installed() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, game, _) = ann.form(&site, "/games", "game=othello&mode=screen").await;
    for (path, picture) in [
        (game.as_str(), format!("{game}/board.png")),
        (
            "/analysis?game=othello&moves=f5",
            "/analysis/board.png?game=othello".into(),
        ),
    ] {
        let (_, page) = ann.page(&site, path).await;
        let image = page
            .split("property=\"og:image\" content=\"")
            .nth(1)
            .unwrap();
        let image = image.split('"').next().unwrap().replace("&#38;", "&");
        let local = image.strip_prefix("http://localhost:7272").unwrap();
        assert!(local.starts_with(&picture), "{image}");
        let (kind, _) = ann.file(&site, local).await;
        assert_eq!(kind, "image/png");
    }
    let (_, page) = ann.page(&site, "/").await;
    let manifest = page.split("rel=\"manifest\" href=\"").nth(1).unwrap();
    let (kind, bytes) = ann.file(&site, manifest.split('"').next().unwrap()).await;
    assert_eq!(kind, "application/manifest+json");
    let manifest: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(manifest["start_url"], "/");
}
