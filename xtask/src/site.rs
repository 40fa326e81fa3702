//! `cargo xtask site`: makes the static site in `target/site` and tests it in Chromium.
//!
//! The pages are rendered by `crates/wasm/site/build.mjs` with the npm package of `cargo xtask
//! wasm`. Any file host can serve the folder, under any path.

use std::path::PathBuf;

use crate::command::{command, root, run, target};
use crate::{book, wasm};

/// Builds the site.
pub(crate) fn make() -> anyhow::Result<()> {
    let folder = build()?;
    test(&folder)
}

/// Builds the package, the book and the site, and returns the site's folder.
fn build() -> anyhow::Result<PathBuf> {
    let package = wasm::build()?;
    book::build()?;
    let folder = target().join("site");
    let mut pages = command("node", &["crates/wasm/site/build.mjs"]);
    pages.arg(package).arg(root()).arg(target().join("book"));
    pages.arg(&folder);
    run(pages)?;
    Ok(folder)
}

/// Visits the site with Chromium: served by a plain file server below a path, then without it.
fn test(folder: &std::path::Path) -> anyhow::Result<()> {
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    run({
        let mut visit = command("node", &["crates/wasm/site/test.mjs"]);
        visit.arg(folder);
        visit
    })
}
