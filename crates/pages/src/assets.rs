//! Static assets (CSS, JavaScript, icon, web app manifest), embedded in the binary.
//!
//! Their URLs contain a digest of the content, so responses are `immutable` (RFC 8246).

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

/// A static file.
pub struct Asset {
    name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub text: String,
    url: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let style = include_str!("../assets/papan.css").to_owned() + &sizes() + &drawing_style();
    let script = "text/javascript; charset=utf-8";
    let files: [(&str, &str, &str); 14] = [
        ("papan.css", "text/css; charset=utf-8", &style),
        ("papan.js", script, include_str!("../assets/papan.js")),
        ("game.js", script, include_str!("../assets/game.js")),
        ("study.js", script, include_str!("../assets/study.js")),
        ("trace.js", script, include_str!("../assets/trace.js")),
        ("atlas.js", script, include_str!("../assets/atlas.js")),
        ("site.js", script, include_str!("../assets/site.js")),
        (
            "transport.js",
            script,
            include_str!("../assets/transport.js"),
        ),
        (
            "engine_worker.js",
            script,
            include_str!("../assets/engine_worker.js"),
        ),
        (
            "hybrid_transport.js",
            script,
            include_str!("../assets/hybrid_transport.js"),
        ),
        (
            "worker_transport.js",
            script,
            include_str!("../assets/worker_transport.js"),
        ),
        (
            "addresses.js",
            script,
            include_str!("../assets/addresses.js"),
        ),
        (
            "manifest.webmanifest",
            "application/manifest+json",
            include_str!("../assets/manifest.webmanifest"),
        ),
        (
            "icon.svg",
            "image/svg+xml",
            include_str!("../assets/icon.svg"),
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
#[must_use]
pub fn url(name: &str) -> &'static str {
    find(name).map_or("/", |asset| &asset.url)
}

/// Returns the asset of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// Returns all assets with their names.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Asset)> {
    ASSETS.iter().map(|asset| (asset.name, asset))
}
