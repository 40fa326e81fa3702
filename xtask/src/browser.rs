//! Browser tests of `papan serve`: headless Chromium driven by Playwright.

use crate::command::{command, debug_binary, run};
use crate::wasm;

/// Installs Playwright if it is missing, then runs the tests, with those that need the engine for
/// browsers if `with_engine`.
pub(crate) fn test(with_engine: bool) -> anyhow::Result<()> {
    if with_engine {
        wasm::engine()?;
    }
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let binary = debug_binary()?;
    let mut test = command("node", &["crates/web/browser/test.mjs", &binary]);
    if !with_engine {
        test.env("PAPAN_WITHOUT_ENGINE", "1");
    }
    run(test)
}
