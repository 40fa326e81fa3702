//! Cache of rendered pages, bounded by bytes.
//!
//! Only pages that depend on nothing but their URL, the host, the language and the response
//! format are cached.

use axum::body::Bytes;
use axum::http::{HeaderValue, Method, Uri};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::http::client::{Client, ResponseFormat};

/// Capacity in bytes.
const CAPACITY: usize = 16 << 20;
/// Expected number of entries, for the initial allocation.
const EXPECTED_ENTRIES: usize = 1024;
/// Maximum length of a cached page's query.
const MAX_QUERY: usize = 8 << 10;
/// Maximum size of a cached page.
pub(crate) const MAX_PAGE: usize = 1 << 20;

/// A rendered page.
#[derive(Clone, Debug)]
pub(crate) struct CachedPage {
    pub(crate) content_type: HeaderValue,
    pub(crate) body: Bytes,
}

/// Everything that a cached page depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PageKey {
    format: ResponseFormat,
    language: &'static str,
    /// The origin under which the client sees the server: a page may contain absolute links.
    origin: String,
    path_and_query: String,
}

impl PageKey {
    /// Returns the key of a request, or `None` if its response may not be cached: engine
    /// output, pages that show progress, and the home page with a client's own defaults.
    pub(crate) fn new(client: &Client, method: &Method, uri: &Uri) -> Option<Self> {
        let (path, query) = (uri.path(), uri.query().unwrap_or(""));
        let changes =
            matches!(path, "/review" | "/proof" | "/embed/proof") || path.starts_with("/games/");
        // A trace is limited by nodes, not by time: it is always the same.
        let is_searched = query.contains("strategy=") && path != "/trace";
        let is_personal = path == "/" && client.form_defaults.is_some();
        let cacheable = method == Method::GET
            && !changes
            && !is_personal
            && !is_searched
            && query.len() <= MAX_QUERY;
        cacheable.then(|| Self {
            format: client.format,
            language: client.words.language().code(),
            origin: client.origin.clone(),
            path_and_query: format!("{path}?{query}"),
        })
    }
}

#[derive(Clone)]
struct ByteSize;

impl Weighter<PageKey, CachedPage> for ByteSize {
    fn weight(&self, key: &PageKey, page: &CachedPage) -> u64 {
        (key.path_and_query.len() + key.origin.len() + page.body.len()).max(1) as u64
    }
}

/// The cache.
pub(crate) struct PageCache(Cache<PageKey, CachedPage, ByteSize>);

impl Default for PageCache {
    fn default() -> Self {
        Self(Cache::with_weighter(
            EXPECTED_ENTRIES,
            CAPACITY as u64,
            ByteSize,
        ))
    }
}

impl PageCache {
    pub(crate) fn get(&self, key: &PageKey) -> Option<CachedPage> {
        self.0.get(key)
    }

    /// Stores a page of at most [`MAX_PAGE`] bytes.
    pub(crate) fn insert(&self, key: PageKey, page: CachedPage) {
        if page.body.len() <= MAX_PAGE {
            self.0.insert(key, page);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> PageKey {
        PageKey {
            format: ResponseFormat::Page,
            language: "en",
            origin: String::new(),
            path_and_query: number.to_string(),
        }
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_the_page_in_use() {
        let cache = PageCache::default();
        let page = || CachedPage {
            content_type: HeaderValue::from_static("text/html"),
            body: Bytes::from(vec![0; 100_000]),
        };
        cache.insert(key(0), page());
        for number in 1..1000 {
            cache.insert(key(number), page());
            assert!(cache.get(&key(0)).is_some(), "after {number} pages");
            assert!(cache.0.weight() <= CAPACITY as u64);
        }
    }
}
