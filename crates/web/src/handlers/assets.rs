//! Static assets of `papan-pages`. Their URLs contain a digest of the content, so responses are
//! `immutable` (RFC 8246).

use std::sync::LazyLock;

use axum::Json;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use papan_pages::assets;
use papan_view::png_board;
use serde_json::{Value, json};

use crate::http::rejection::Rejection;

/// `GET /assets/{tag}/{name}`. The tag only defeats caches and is not checked.
pub(crate) async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, Rejection> {
    let asset = assets::find(&name).ok_or(Rejection::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, &*asset.text).into_response())
}

/// Sides of the icons as PNG: Apple's, and those of an installed app.
const ICONS: [u16; 3] = [180, 192, 512];
/// Side of `icon.svg` in its own units.
const ICON_UNITS: f32 = 100.0;

static DRAWN: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let svg = assets::find("icon.svg").map_or("", |asset| &asset.text);
    ICONS.map(|side| png_board::icon(svg, ICON_UNITS, side))
});

/// `GET /icons/{side}`, for systems that show no SVG.
pub(crate) async fn icon(Path(name): Path<String>) -> Result<Response, Rejection> {
    let side = name.strip_suffix(".png").and_then(|side| side.parse().ok());
    let at = ICONS.iter().position(|&icon| Some(icon) == side);
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    let drawn = &DRAWN[at.ok_or(Rejection::NotFound)?];
    Ok((headers, drawn.as_slice()).into_response())
}

/// `GET /manifest.webmanifest`: that of the assets with the PNG icons.
pub(crate) async fn manifest() -> Result<Response, Rejection> {
    let asset = assets::find("manifest.webmanifest").ok_or(Rejection::Internal)?;
    let mut manifest: Value = serde_json::from_str(&asset.text).map_err(|_| Rejection::Internal)?;
    let icons = ICONS.map(|side| {
        let source = format!("/icons/{side}.png");
        json!({"src": source, "sizes": format!("{side}x{side}"), "type": "image/png"})
    });
    if let Some(list) = manifest["icons"].as_array_mut() {
        for icon in list.iter_mut() {
            icon["src"] = assets::url("icon.svg").into();
        }
        list.extend(icons);
    }
    let headers = [(header::CONTENT_TYPE, asset.media_type)];
    Ok((headers, Json(manifest)).into_response())
}
