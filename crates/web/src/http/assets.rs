//! Static assets (CSS, JavaScript, icon, web app manifest), embedded in the binary.
//!
//! Their URLs contain a digest of the content, so responses are `immutable` (RFC 8246).

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::http::rejection::Rejection;

struct Asset {
    name: &'static str,
    media_type: &'static str,
    text: String,
    url: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let style = include_str!("../../assets/papan.css").to_owned() + &sizes() + &drawing_style();
    let script = "text/javascript; charset=utf-8";
    let files: [(&str, &str, &str); 7] = [
        ("papan.css", "text/css; charset=utf-8", &style),
        ("papan.js", script, include_str!("../../assets/papan.js")),
        ("game.js", script, include_str!("../../assets/game.js")),
        ("study.js", script, include_str!("../../assets/study.js")),
        ("trace.js", script, include_str!("../../assets/trace.js")),
        (
            "manifest.webmanifest",
            "application/manifest+json",
            include_str!("../../assets/manifest.webmanifest"),
        ),
        (
            "icon.svg",
            "image/svg+xml",
            include_str!("../../assets/icon.svg"),
        ),
    ];
    // One digest for all files: scripts import each other by relative URL.
    let mut hasher = Sha256::new();
    for (_, _, text) in files {
        hasher.update(text);
    }
    let digest = hasher.finalize();
    let tag: String = digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let asset = |(name, media_type, text): (&'static str, _, &str)| Asset {
        name,
        media_type,
        text: text.into(),
        url: format!("/assets/{tag}/{name}"),
    };
    files.map(asset).into()
});

/// Returns CSS classes for board sizes up to 60: the content security policy allows no
/// inline styles.
fn sizes() -> String {
    (1..=60)
        .map(|side| format!(".columns-{side}{{--columns:{side}}}.rows-{side}{{--rows:{side}}}\n"))
        .collect()
}

/// Returns the style of SVG drawings, scoped to `.drawing`: a drawing inside a page cannot
/// carry its own.
fn drawing_style() -> String {
    let rules = papan_view::SVG_STYLESHEET.split_inclusive('}');
    rules.map(|rule| format!(".drawing {rule}\n")).collect()
}

/// Returns the URL of an asset.
pub(crate) fn url(name: &str) -> &'static str {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    asset.map_or("/", |asset| &asset.url)
}

/// `GET /assets/{tag}/{name}`. The tag only defeats caches and is not checked.
pub(crate) async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, Rejection> {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or(Rejection::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.text.as_str()).into_response())
}
