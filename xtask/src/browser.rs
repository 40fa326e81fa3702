//! Real browsers against `papan serve`: headless Chromium driven by playwright.

use anyhow::bail;

use crate::step::{command, exists, root, run};

/// Installs what the browsers need, then lets them play.
pub(crate) fn test() -> anyhow::Result<()> {
    if !exists("node") || !exists("npm") {
        bail!("the browser tests need node and npm (Debian packages nodejs and npm)");
    }
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), std::path::PathBuf::from);
    let binary = target.join("debug/papan").display().to_string();
    run(command("node", &["crates/web/browser/test.mjs", &binary]))
}
