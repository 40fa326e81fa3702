//! Browser tests of `papan serve`: headless Chromium driven by Playwright.

use crate::command::{command, debug_binary, run};
use crate::wasm;

/// Installs Playwright if it is missing, then runs the tests. Some need the engine for browsers.
pub(crate) fn test() -> anyhow::Result<()> {
    if wasm::is_possible()? {
        wasm::engine()?;
    }
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let binary = debug_binary()?;
    run(command("node", &["crates/web/browser/test.mjs", &binary]))
}
