//! `cargo xtask miri`: runs the engine's `unsafe` code under [Miri](https://github.com/rust-lang/miri).
//!
//! Miri is about a thousand times slower than native code, so only small tests run: boards,
//! squares, flips, mobility and the transposition table. Decompressing the evaluation weights
//! alone would take an hour.

use anyhow::{Result, bail};

use crate::command::{self, command, succeeds};

/// Filters for the tests that execute `unsafe` code and are fast enough.
const TESTS: [&str; 2] = ["board::", "tt::"];

/// Runs the tests.
pub(crate) fn run() -> Result<()> {
    if !succeeds(command("cargo", &["+nightly", "miri", "--version"])) {
        bail!(
            "no nightly toolchain with Miri; install it with \
             `rustup toolchain install nightly --component miri,rust-src`"
        );
    }
    let mut args = vec![
        "+nightly",
        "miri",
        "test",
        "-p",
        "papan-othello",
        "--lib",
        "--",
    ];
    args.extend(TESTS);
    let mut miri = command("cargo", &args);
    // Miri does not support AVX2 intrinsics, nor mmap with huge pages.
    miri.env("RUSTFLAGS", "-C target-cpu=x86-64");
    miri.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    miri.env("PROPTEST_CASES", "4");
    command::run(miri)
}
