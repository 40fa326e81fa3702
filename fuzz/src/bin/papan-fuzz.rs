//! Runs the fuzz target named by `PAPAN_FUZZ` under libFuzzer. Built and started by
//! `cargo xtask fuzz`.

#![no_main]

use std::sync::LazyLock;

use papan_fuzz::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("PAPAN_FUZZ").expect("PAPAN_FUZZ names a target");
    let found = TARGETS.iter().find(|target| target.name == name);
    found.expect("PAPAN_FUZZ names one of the targets")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
