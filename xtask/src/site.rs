//! `cargo xtask site [--server URL]`: makes the static site in `target/site` and tests it in Chromium.
//!
//! `crates/wasm/site/build.mjs` renders the pages of `papan-pages` with the engine for browsers. Any file
//! host can serve the folder, under any path. Games with other people are played on the server.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};

use crate::command::{command, debug_example, root, run, target};
use crate::{book, wasm};

/// Builds the site and visits it.
pub(crate) fn run_all(mut args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    match (args.next().as_deref(), args.next()) {
        (None, _) => make(None),
        (Some("--server"), Some(url)) => {
            let is_url = url.starts_with("https://") || url.starts_with("http://");
            ensure!(
                is_url && !url.contains(['"', '<', '&']),
                "--server must be https://HOST or http://HOST, not {url}"
            );
            make(Some(&url))
        }
        _ => bail!("usage: cargo xtask site [--server URL]"),
    }
}

/// Builds the site, which links to a server, and visits it.
pub(crate) fn make(server: Option<&str>) -> anyhow::Result<()> {
    test(&build(server)?)
}

/// Builds the engine, the book and the site, and returns the site's folder.
pub(crate) fn build(server: Option<&str>) -> anyhow::Result<PathBuf> {
    let engine = wasm::engine()?;
    book::build()?;
    let assets = target().join("assets");
    run({
        let write = debug_example("assets")?;
        let mut write = command(&write.display().to_string(), &[]);
        write.arg(&assets);
        write
    })?;
    let folder = target().join("site");
    let mut pages = command("node", &["crates/wasm/site/build.mjs"]);
    pages.arg(engine).arg(root()).arg(assets);
    pages.arg(target().join("book")).arg(&folder).args(server);
    run(pages)?;
    Ok(folder)
}

/// Visits the site with Chromium: served by a plain file server below a path, then without it.
fn test(folder: &Path) -> anyhow::Result<()> {
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    run({
        let mut visit = command("node", &["crates/wasm/site/test.mjs"]);
        visit.arg(folder);
        visit
    })
}
