//! The style, the scripts and the icon, inside the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::rejection::Rejection;

struct Asset {
    name: &'static str,
    kind: &'static str,
    text: String,
    /// With a digest of the content, so that a browser may keep it for good.
    address: String,
}

static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    let asset = |name: &'static str, kind, text: &str| {
        let digest = Sha256::digest(text);
        let tag: String = digest[..6]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let address = format!("/assets/{tag}/{name}");
        Asset {
            name,
            kind,
            text: text.into(),
            address,
        }
    };
    [
        asset(
            "papan.css",
            "text/css; charset=utf-8",
            &(include_str!("../assets/papan.css").to_owned() + &drawing_style()),
        ),
        asset(
            "papan.js",
            "text/javascript; charset=utf-8",
            include_str!("../assets/papan.js"),
        ),
        asset(
            "study.js",
            "text/javascript; charset=utf-8",
            include_str!("../assets/study.js"),
        ),
        asset(
            "icon.svg",
            "image/svg+xml",
            include_str!("../assets/icon.svg"),
        ),
    ]
});

/// The rules that the laboratory's drawings carry in a file, for those on a page: a
/// page may carry no styles of its own.
fn drawing_style() -> String {
    let rules = papan_view::DRAWING_STYLE.split_inclusive('}');
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
