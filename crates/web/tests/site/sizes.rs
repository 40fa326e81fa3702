//! Sizes of responses on the wire.

use std::io::{Read as _, Write as _};

use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use futures_util::StreamExt as _;
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
    let mut files: Vec<String> = files.filter(needed).map(str::to_owned).collect();
    let mut at = 0;
    // Scripts import others, from their own folder.
    while let Some(file) = files.get(at).cloned() {
        let (bytes, text) = fetch(&site, &ann, &file, false).await;
        total += bytes.len();
        for name in text.split("from \"./").skip(1) {
            let name = name.split('"').next().unwrap();
            let imported = format!("{}/{name}", file.rsplit_once('/').unwrap().0);
            if !files.contains(&imported) {
                files.push(imported);
            }
        }
        at += 1;
    }
    assert!(
        files.len() >= 3,
        "style, script and what it imports: {files:?}"
    );
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
async fn streams_of_games_and_small_answers_are_not_compressed() {
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
async fn a_live_analysis_is_compressed_and_every_update_arrives_at_once() {
    let site = Site::new().await;
    let ann = Person::default();
    let path = "/analysis/live?game=othello&moves=f5d6c3";
    let request = ann
        .request("GET", path)
        .header(header::ACCEPT_ENCODING, "gzip");
    let response = site
        .send(request.body(axum::body::Body::empty()).unwrap())
        .await;
    assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
    let mut stream = response.into_body().into_data_stream();
    let mut decoder = flate2::write::GzDecoder::new(Vec::new());
    let mut bytes = 0;
    // Three updates are read while the search still runs.
    let text = loop {
        let part = stream.next().await.expect("the search runs").unwrap();
        bytes += part.len();
        decoder.write_all(&part).unwrap();
        decoder.flush().unwrap();
        let text = String::from_utf8_lossy(decoder.get_ref()).into_owned();
        if text.matches("\n\n").count() >= 3 {
            break text;
        }
    };
    assert!(text.starts_with("data: {\"pass\":1"), "{text}");
    assert!(4 * bytes < text.len(), "{bytes} bytes of {}", text.len());
}

/// Every page that people share shows a board in its link preview.
#[tokio::test]
async fn every_page_has_a_picture_that_exists() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for path in [
        "/",
        "/lobby",
        "/puzzles",
        "/rules",
        "/rules/renju",
        "/laboratory",
        "/studies",
        "/analysis?game=gomoku&moves=h8+i9",
        "/analysis/setup?game=othello",
        "/analysis/setup?start=XXX------+O",
        "/review?game=tictactoe&moves=5+1",
        "/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta",
        "/proof?game=tictactoe&strategy=perfect&as=second",
    ] {
        let (_, page) = ann.page(&site, path).await;
        let image = page.split("property=\"og:image\" content=\"").nth(1);
        let image = image.unwrap_or_else(|| panic!("{path} has no picture"));
        let image = image.split('"').next().unwrap().replace("&#38;", "&");
        let local = image.strip_prefix("http://localhost:7272").unwrap();
        let (kind, _) = ann.file(&site, local).await;
        assert_eq!(kind, "image/png", "{path}: {image}");
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
