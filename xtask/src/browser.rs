//! Browser tests of `papan serve`: headless Chromium driven by Playwright.

use crate::command::{command, debug_binary, run};

/// Installs Playwright if it is missing, then runs the tests.
pub(crate) fn test() -> anyhow::Result<()> {
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let binary = debug_binary()?;
    run(command("node", &["crates/web/browser/test.mjs", &binary]))
}
