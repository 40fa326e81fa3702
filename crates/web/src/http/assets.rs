//! The style, the scripts and the icon, inside the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::http::rejection::Rejection;

struct Asset {
    name: &'static str,
    kind: &'static str,
    text: String,
    /// With a digest of the content, so that a browser may keep it for good.
    address: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let style = include_str!("../../assets/papan.css").to_owned() + &sizes() + &drawing_style();
    let script = "text/javascript; charset=utf-8";
    let files: [(&str, &str, &str); 5] = [
        ("papan.css", "text/css; charset=utf-8", &style),
        ("papan.js", script, include_str!("../../assets/papan.js")),
        ("game.js", script, include_str!("../../assets/game.js")),
        ("study.js", script, include_str!("../../assets/study.js")),
        (
            "icon.svg",
            "image/svg+xml",
            include_str!("../../assets/icon.svg"),
        ),
    ];
    // One digest for all: a script that another one imports is the same file.
    let mut digest = Sha256::new();
    for (_, _, text) in files {
        digest.update(text);
    }
    let digest = digest.finalize();
    let tag: String = digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let asset = |(name, kind, text): (&'static str, _, &str)| Asset {
        name,
        kind,
        text: text.into(),
        address: format!("/assets/{tag}/{name}"),
    };
    files.map(asset).into()
});

/// Sides of a board as classes, to give it a size: a page may carry no styles of
/// its own. A longer side is drawn as long as the last.
fn sizes() -> String {
    (1..=60)
        .map(|side| format!(".columns-{side}{{--columns:{side}}}.rows-{side}{{--rows:{side}}}\n"))
        .collect()
}

/// The rules that the laboratory's drawings carry in a file, for those on a page: a
/// page may carry no styles of its own.
fn drawing_style() -> String {
    let rules = papan_view::SVG_STYLESHEET.split_inclusive('}');
    rules.map(|rule| format!(".drawing {rule}\n")).collect()
}

/// Where a page finds an asset.
pub(crate) fn address(name: &str) -> &'static str {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    asset.map_or("/", |asset| &asset.address)
}

pub(crate) async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, Rejection> {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or(Rejection::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.text.as_str()).into_response())
}
