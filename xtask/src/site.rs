//! `cargo xtask site`: makes the static site in `target/site` and tests it in Chromium.
//!
//! `crates/wasm/site/build.mjs` renders the pages of `papan-pages` with the module of the site. Any file host can serve the folder, under any path.

use std::path::PathBuf;

use crate::command::{command, root, run, target};
use crate::{book, wasm};

/// Builds the site.
pub(crate) fn make() -> anyhow::Result<()> {
    let folder = build()?;
    test(&folder)
}

/// Builds the package, the book and the site, and returns the site's folder.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let package = wasm::build(wasm::Module::Site)?;
    wasm::check_site_size(&package)?;
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
