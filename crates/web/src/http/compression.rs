//! Compression of responses with gzip (RFC 9110, section 8.4.1).
//!
//! Compressing a secret beside text that an attacker chooses reveals the secret by its length
//! (BREACH, CVE-2013-3587). No response contains both:
//!
//! - Pages with text from the URL (analysis, review, proofs, errors) contain no secret.
//! - A game's page contains an invitation only until it is accepted. Until then no other client
//!   can put text on the page: the opponent's name arrives with the acceptance.
//! - The link to another device is in the response to a POST, which other sites cannot send.
//!
//! Of event streams only live analyses are compressed: their updates redraw cells of the board. An event
//! of a game is a number, a server has thousands of such streams, and the window of each encoder would
//! take more than 250 KiB. The encoder is flushed whenever the stream has nothing to send.

use axum::http::{Extensions, HeaderMap, StatusCode, Version, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate as _, SizeAbove};

/// Smaller bodies fit into the first packet anyway.
const MIN_BYTES: u64 = 860;
/// Pages repeat themselves so much that higher levels gain little.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

/// Marks the response of an event stream that is worth compressing.
#[derive(Clone, Copy)]
pub(crate) struct CompressedStream;

type Compressible = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// Returns the layer.
pub(crate) fn layer() -> CompressionLayer<And<Compressible, SizeAbove>> {
    let compressible: Compressible = is_compressible;
    CompressionLayer::new()
        .quality(LEVEL)
        .compress_when(compressible.and(SizeAbove::new(MIN_BYTES)))
}

/// Returns whether the content of a response is not compressed already. Weights and certificates of the
/// engine for browsers are compressed inside.
fn is_compressible(
    _: StatusCode,
    _: Version,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE);
    let media_type = media_type
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    match media_type {
        "application/octet-stream" => false,
        _ if media_type.starts_with("text/event-stream") => {
            extensions.get::<CompressedStream>().is_some()
        }
        _ => !media_type.starts_with("image/") || media_type.starts_with("image/svg"),
    }
}
