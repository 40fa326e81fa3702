//! HTTP: listener, router, middleware, extractors, errors.

pub(crate) mod app;
pub(crate) mod body;
pub(crate) mod client;
pub(crate) mod compression;
pub(crate) mod engine_files;
pub(crate) mod host;
pub(crate) mod identity;
pub(crate) mod identity_key;
pub(crate) mod line_endings;
pub(crate) mod middleware;
pub(crate) mod names;
pub(crate) mod page_cache;
pub(crate) mod rate_limit;
pub(crate) mod refusal_log;
pub(crate) mod rejection;
pub(crate) mod response;
pub(crate) mod secret;
pub(crate) mod security_headers;
pub(crate) mod server;
pub(crate) mod write_timeout;
