//! The engine for browsers: papan as WebAssembly with its pages, weights and certificates. It searches
//! where the server would have to, so that the server only keeps games.
//!
//! URLs contain a digest of the files, so responses are `immutable` (RFC 8246). Files are served
//! compressed where a compressed copy lies beside them (`papan_bg.wasm.br`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use sha2::{Digest, Sha256};
use tower_http::services::ServeDir;

/// Files without which there is no engine.
const REQUIRED: [&str; 4] = ["index.js", "papan.js", "papan_bg.wasm", "site_worker.js"];

/// Why a folder has no engine for browsers.
#[derive(Debug, thiserror::Error)]
pub enum EngineFilesError {
    /// A file cannot be read.
    #[error("{path}: {}; `cargo xtask engine` makes the folder of an engine", .cause.kind())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The engine renders the pages of another version.
    #[error("{path} is papan {found}, but this server is {}; make it again with `cargo xtask engine`", env!("CARGO_PKG_VERSION"))]
    OtherVersion {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: String,
    },
}

/// The folder of an engine for browsers.
#[derive(Clone, Debug)]
pub struct EngineFiles {
    folder: PathBuf,
    /// The URL of the folder, which ends with a slash.
    url: Arc<str>,
}

impl EngineFiles {
    /// Opens a folder that `cargo xtask engine` made.
    ///
    /// # Errors
    /// If a file is missing, or the engine is of another version.
    pub fn open(folder: &Path) -> Result<Self, EngineFilesError> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|cause| EngineFilesError::Unreadable { path, cause })
        };
        let manifest: serde_json::Value =
            serde_json::from_slice(&read("package.json")?).unwrap_or_default();
        let found = manifest["version"].as_str().unwrap_or("unknown").to_owned();
        if found != env!("CARGO_PKG_VERSION") {
            return Err(EngineFilesError::OtherVersion {
                path: folder.into(),
                found,
            });
        }
        let mut hasher = Sha256::new();
        for name in REQUIRED {
            hasher.update(read(name)?);
        }
        let digest = hasher.finalize();
        let tag: String = digest[..6]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Self {
            folder: folder.into(),
            url: format!("/engine/{tag}/").into(),
        })
    }

    /// Returns the URL of the folder.
    pub(crate) fn url(&self) -> Arc<str> {
        Arc::clone(&self.url)
    }

    /// Returns the routes of the files.
    pub(crate) fn routes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        let files = ServeDir::new(&self.folder)
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip();
        let folder = self.url.trim_end_matches('/');
        let files = Router::new().fallback_service(files).layer(from_fn(keep));
        Router::new().nest(folder, files)
    }
}

/// Lets clients keep a file for good.
async fn keep(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status().is_success() {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, forever);
    }
    response
}
