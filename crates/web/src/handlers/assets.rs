//! Static assets of `papan-pages`. Their URLs contain a digest of the content, so responses are
//! `immutable` (RFC 8246).

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use papan_pages::assets;

use crate::http::rejection::Rejection;

/// `GET /assets/{tag}/{name}`. The tag only defeats caches and is not checked.
pub(crate) async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, Rejection> {
    let asset = assets::find(&name).ok_or(Rejection::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.text.as_str()).into_response())
}
