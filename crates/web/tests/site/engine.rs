//! The engine that browsers run: its files, headers, and pages without a search.

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use papan_web::{EngineFiles, EngineFilesError, Settings};
use serde_json::{Value, json};

use crate::{Person, Site, patient};

/// Makes a folder as `cargo xtask engine` does, with files of no use.
fn folder(version: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    for name in ["index.js", "papan.js", "site_worker.js", "papan_bg.wasm"] {
        write(name, name);
    }
    write("papan_bg.wasm.gz", "compressed");
    write("package.json", &json!({ "version": version }).to_string());
    folder
}

async fn site(folder: &tempfile::TempDir) -> Site {
    Site::with(Settings {
        engine: Some(EngineFiles::open(folder.path()).unwrap()),
        studies_per_second: 1e6,
        ..patient()
    })
    .await
}

async fn get(site: &Site, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::get(path).header("accept", "text/html");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.send(request.body(Body::empty()).unwrap()).await
}

async fn text(response: Response<Body>) -> String {
    let body = axum::body::to_bytes(response.into_body(), 1 << 22).await;
    String::from_utf8(body.unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn files_are_immutable_and_compressed_and_pages_name_their_folder() {
    let folder = folder(env!("CARGO_PKG_VERSION"));
    let site = site(&folder).await;
    let home = get(&site, "/", &[]).await;
    let header = |response: &Response<Body>, name: &str| {
        let value = response.headers().get(name);
        value.map_or(String::new(), |value| value.to_str().unwrap().to_owned())
    };
    assert!(header(&home, "content-security-policy").contains("'wasm-unsafe-eval'"));
    assert_eq!(header(&home, "cross-origin-opener-policy"), "same-origin");
    let page = text(home).await;
    let url = page.split("data-engine=\"").nth(1).unwrap();
    let url = url.split('"').next().unwrap();
    assert!(url.starts_with("/engine/") && url.ends_with('/'), "{url}");

    let wasm = get(&site, &format!("{url}papan_bg.wasm"), &[]).await;
    assert_eq!(header(&wasm, "content-type"), "application/wasm");
    assert!(header(&wasm, "cache-control").contains("immutable"));
    assert_eq!(text(wasm).await, "papan_bg.wasm");
    let gzip = [("accept-encoding", "gzip")];
    let wasm = get(&site, &format!("{url}papan_bg.wasm"), &gzip).await;
    assert_eq!(header(&wasm, "content-encoding"), "gzip");
    assert_eq!(text(wasm).await, "compressed");
    for missing in ["nothing.js", "../package.json", "%2e%2e/Cargo.toml"] {
        let answer = get(&site, &format!("{url}{missing}"), &[]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{missing}");
        assert!(!header(&answer, "cache-control").contains("immutable"));
    }
    let other = get(&site, "/engine/000000000000/papan_bg.wasm", &[]).await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);

    let plain = Site::new().await;
    let home = get(&plain, "/", &[]).await;
    assert!(!header(&home, "content-security-policy").contains("wasm"));
    assert!(!text(home).await.contains("data-engine"));
}

#[test]
fn an_engine_of_another_version_is_refused() {
    let folder = folder("0.0.1");
    let error = EngineFiles::open(folder.path()).unwrap_err();
    assert!(matches!(&error, EngineFilesError::OtherVersion { found, .. } if found == "0.0.1"));
    let empty = tempfile::tempdir().unwrap();
    let error = EngineFiles::open(empty.path()).unwrap_err();
    assert!(error.to_string().contains("cargo xtask engine"), "{error}");
}

#[tokio::test]
async fn a_page_is_loaded_without_a_search_which_scripts_or_the_address_ask_for() {
    let folder = folder(env!("CARGO_PKG_VERSION"));
    let site = site(&folder).await;
    let analysis = "/analysis?game=tictactoe&moves=5&strategy=branch-and-bound";
    let waits = text(get(&site, analysis, &[]).await).await;
    assert!(waits.contains("data-pending") && !waits.contains("id=\"opinion\""));
    // Without scripts the page is loaded again.
    assert!(
        waits.contains("strategy=branch-and-bound&#38;by=server") || waits.contains("&by=server")
    );
    let by_script = [("x-papan-compute", "1")];
    let found = text(get(&site, analysis, &by_script).await).await;
    assert!(!found.contains("data-pending") && found.contains("id=\"opinion\""));
    let found = text(get(&site, &format!("{analysis}&by=server"), &[]).await).await;
    assert!(found.contains("id=\"opinion\""));
    let (_, answer) = Person::default()
        .json(&site, "GET", analysis, Value::Null)
        .await;
    assert!(answer["decision"]["candidates"].is_array(), "{answer}");

    // Nothing is in flight after the pages of a review and a proof, asked for more often than
    // one address may have jobs.
    for count in 1..=6 {
        let review = format!("/review?game=tictactoe:4x4&moves=1+2+3+{}", 3 + count);
        let page = get(&site, &review, &[]).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert!(text(page).await.contains("data-reload"));
        let proof = format!(
            "/proof?game=tictactoe:4x{}&strategy=minimax&as=first",
            3 + count % 2
        );
        assert_eq!(get(&site, &proof, &[]).await.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn the_server_says_what_to_ask_in_a_game_and_who_may() {
    let folder = folder(env!("CARGO_PKG_VERSION"));
    let site = site(&folder).await;
    let mut ann = Person::default();
    let form = "game=tictactoe&mode=computer&opponent=perfect&seat=first";
    let (_, game, _) = ann.form(&site, "/games", form).await;
    let (_, page) = ann.page(&site, &format!("{game}?ask=hint")).await;
    let question = page.split("data-study=\"").nth(1).unwrap();
    let question = question.split('"').next().unwrap().replace("&#34;", "\"");
    let question: Value = serde_json::from_str(&question).unwrap();
    assert_eq!(question["game"], "tictactoe");
    assert!(question["strategy"].is_string() && question["explain"].is_null());
    let (status, _) = Person::default()
        .page(&site, &format!("{game}?ask=hint"))
        .await;
    assert_eq!(status, StatusCode::FORBIDDEN, "a spectator");

    let play = json!({ "move": "5" });
    let (status, _) = ann
        .json(&site, "POST", &format!("{game}/moves"), play)
        .await;
    assert_eq!(status, StatusCode::OK);
    let why = crate::until(async || {
        let (status, page) = ann.page(&site, &format!("{game}?ask=why")).await;
        (status == StatusCode::OK).then_some(page)
    })
    .await;
    assert!(
        why.contains("&#34;explain&#34;") && why.contains("&#34;strategy&#34;:&#34;perfect&#34;")
    );
}
