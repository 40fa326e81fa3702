//! `cargo xtask miri`: the engine's `unsafe` code under Miri, where a nightly toolchain has it.
//!
//! Miri runs a thousand times slower than the processor, so it looks at what is small: boards,
//! squares, flips, mobility, the hash table and its pages. Unpacking the evaluation alone
//! would take an hour.

use anyhow::{Result, bail};

use crate::command::{self, command, succeeds};

/// The tests of the engine that touch `unsafe` code and end soon enough, by their names' parts.
const TESTS: [&str; 2] = ["board::", "tt::"];

/// Runs them.
pub(crate) fn run() -> Result<()> {
    if !succeeds(command("cargo", &["+nightly", "miri", "--version"])) {
        bail!(
            "no nightly toolchain with Miri; \
             `rustup toolchain install nightly --component miri,rust-src` brings it"
        );
    }
    let mut words = vec![
        "+nightly",
        "miri",
        "test",
        "-p",
        "papan-othello",
        "--lib",
        "--",
    ];
    words.extend(TESTS);
    let mut miri = command("cargo", &words);
    // Miri knows no vector instructions of this machine and no mapping of large pages.
    miri.env("RUSTFLAGS", "-C target-cpu=x86-64");
    miri.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    miri.env("PROPTEST_CASES", "4");
    command::run(miri)
}
