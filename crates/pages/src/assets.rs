//! Static assets (CSS, JavaScript, icon, web app manifest), embedded in the binary.
//!
//! Their URLs contain a digest of the content, so responses are `immutable` (RFC 8246).

use std::borrow::Cow;
use std::sync::LazyLock;

/// A static file.
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub text: Cow<'static, str>,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, media type and content; that of `papan.css` lacks the generated rules.
const FILES: [(&str, &str, &str); 14] = [
    (
        STYLE,
        "text/css; charset=utf-8",
        include_str!("../assets/papan.css"),
    ),
    ("papan.js", SCRIPT, include_str!("../assets/papan.js")),
    ("game.js", SCRIPT, include_str!("../assets/game.js")),
    ("study.js", SCRIPT, include_str!("../assets/study.js")),
    ("trace.js", SCRIPT, include_str!("../assets/trace.js")),
    ("atlas.js", SCRIPT, include_str!("../assets/atlas.js")),
    ("site.js", SCRIPT, include_str!("../assets/site.js")),
    (
        "transport.js",
        SCRIPT,
        include_str!("../assets/transport.js"),
    ),
    (
        "engine_worker.js",
        SCRIPT,
        include_str!("../assets/engine_worker.js"),
    ),
    (
        "hybrid_transport.js",
        SCRIPT,
        include_str!("../assets/hybrid_transport.js"),
    ),
    (
        "worker_transport.js",
        SCRIPT,
        include_str!("../assets/worker_transport.js"),
    ),
    (
        "addresses.js",
        SCRIPT,
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

const STYLE: &str = "papan.css";
/// CSS classes for the side of a board: the content security policy allows no inline styles.
const SIDE_RULE: &str = ".columns-{side}{--columns:{side}}.rows-{side}{--rows:{side}}\n";
const MAX_SIDE: u32 = 60;
/// Scope of the style of SVG drawings: a drawing inside a page cannot carry its own.
const DRAWING_SCOPE: &str = ".drawing ";

/// Digest (FNV-1a) of all that the contents are made from. One for all files: scripts import each other
/// by relative URL. It is computed by the compiler, so that a program that only links to assets (the
/// WebAssembly module) does not contain them.
const DIGEST: u64 = {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ MAX_SIDE as u64;
    let mut at = 0;
    while at < FILES.len() {
        hash = fnv1a(hash, FILES[at].2);
        at += 1;
    }
    hash = fnv1a(hash, SIDE_RULE);
    hash = fnv1a(hash, DRAWING_SCOPE);
    fnv1a(hash, papan_view::SVG_STYLESHEET)
};

const fn fnv1a(mut hash: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}

const NAMES: [&str; FILES.len()] = {
    let mut names = [""; FILES.len()];
    let mut at = 0;
    while at < FILES.len() {
        names[at] = FILES[at].0;
        at += 1;
    }
    names
};

static URLS: LazyLock<[String; FILES.len()]> =
    LazyLock::new(|| NAMES.map(|name| format!("/assets/{DIGEST:016x}/{name}")));

static ASSETS: LazyLock<[Asset; FILES.len()]> = LazyLock::new(|| {
    FILES.map(|(name, media_type, text)| Asset {
        name,
        media_type,
        text: if name == STYLE {
            (text.to_owned() + &sizes() + &drawing_style()).into()
        } else {
            text.into()
        },
    })
});

fn sizes() -> String {
    (1..=MAX_SIDE)
        .map(|side| SIDE_RULE.replace("{side}", &side.to_string()))
        .collect()
}

fn drawing_style() -> String {
    let rules = papan_view::SVG_STYLESHEET.split_inclusive('}');
    rules
        .map(|rule| format!("{DRAWING_SCOPE}{rule}\n"))
        .collect()
}

/// Returns the URL of an asset.
#[must_use]
pub fn url(name: &str) -> &'static str {
    let at = NAMES.iter().position(|known| *known == name);
    at.map_or("/", |at| &URLS[at])
}

/// Returns the asset of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// Returns all assets.
#[must_use]
pub fn all() -> &'static [Asset] {
    &*ASSETS
}
