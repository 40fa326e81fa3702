//! Real browsers against `papan serve`: headless Chromium driven by playwright.

use anyhow::bail;

use crate::step::{command, debug_binary, exists, run};

/// Installs what the browsers need, then lets them play.
pub(crate) fn test() -> anyhow::Result<()> {
    if !exists("node") || !exists("npm") {
        bail!("the browser tests need node and npm (Debian packages nodejs and npm)");
    }
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let binary = debug_binary()?;
    run(command("node", &["crates/web/browser/test.mjs", &binary]))
}
