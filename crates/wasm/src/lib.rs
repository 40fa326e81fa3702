//! papan as a WebAssembly module: bindings for JavaScript in pages, workers and node.
//!
//! `cargo xtask wasm` builds it into the npm package `papan` (`target/npm/papan`). `types.ts` has the
//! types of all plain objects that cross the boundary; they are those of papan's JSON output
//! (`docs/json.md`). The module needs no files, threads or system clock: weights and large
//! certificates are handed over as bytes, the clock is `performance.now`, and a search runs on the
//! calling thread, so that a page puts it into a worker (`npm/worker.js`).
#![allow(missing_docs, reason = "the generated code has none")]
#![allow(unsafe_code, reason = "wasm-bindgen generates it")]
#![allow(unreachable_pub, reason = "JavaScript reaches it")]
#![allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes values")]

mod certificate;
mod clock;
mod data;
mod error;
mod game;
mod interrupt;
mod limits;
mod line;
mod object;
mod player;
mod progress;
mod prove;
#[cfg(feature = "site")]
mod site;
mod solve;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &'static str = include_str!("types.ts");

/// Turns a panic into a JavaScript error with its message. The module must not be used afterwards.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&format!("papan failed: {panic}"));
    }));
}

/// Returns papan's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
