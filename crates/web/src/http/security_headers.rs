//! Security headers: Content Security Policy (CSP level 3), framing, referrer, caching.

use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Nothing from other origins, no inline scripts or styles, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Where the browser runs an engine, it may compile WebAssembly.
const ENGINE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// Isolates pages and workers from other origins, so that they may share memory: a search in a worker
/// is interrupted through it (HTML, cross-origin isolation).
const ISOLATION: [(&str, &str); 2] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
];

/// The same for a page that other sites may frame: no forms, no requests.
const FRAMED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/// Who may frame a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// No site.
    Denied,
    /// Every site.
    Allowed,
}

/// Adds the security headers to a response.
pub(crate) fn add(response: &mut Response, framing: Framing, has_engine: bool) {
    let headers = response.headers_mut();
    let policy = match framing {
        Framing::Denied => {
            headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
            if has_engine {
                for (name, value) in ISOLATION {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            if has_engine { ENGINE_POLICY } else { POLICY }
        }
        Framing::Allowed => FRAMED_POLICY,
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Pages depend on the cookie (RFC 9111, section 5.2.2.5).
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
