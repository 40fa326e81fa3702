//! Real browsers against `papan serve`: headless Chromium driven by playwright.

use crate::command::{command, debug_binary, run};

/// Installs what the browsers need beside Debian's packages, then lets them play.
pub(crate) fn test() -> anyhow::Result<()> {
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let binary = debug_binary()?;
    run(command("node", &["crates/web/browser/test.mjs", &binary]))
}
