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
//! Event streams are not compressed: an encoder would hold events back, and they are small.

use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{
    And, DefaultPredicate, NotForContentType, Predicate as _, SizeAbove,
};

/// Smaller bodies fit into the first packet anyway.
const MIN_BYTES: u64 = 860;
/// Pages repeat themselves so much that higher levels gain little.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

/// Returns the layer. The default predicate leaves out pictures and event streams; weights and
/// certificates of the engine for browsers are compressed inside.
pub(crate) fn layer() -> CompressionLayer<And<And<DefaultPredicate, SizeAbove>, NotForContentType>>
{
    CompressionLayer::new().quality(LEVEL).compress_when(
        DefaultPredicate::new()
            .and(SizeAbove::new(MIN_BYTES))
            .and(NotForContentType::const_new("application/octet-stream")),
    )
}
