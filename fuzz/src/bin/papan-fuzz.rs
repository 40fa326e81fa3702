//! One target under libFuzzer: the one that `PAPAN_FUZZ` names. `cargo xtask fuzz`
//! builds and starts it.

#![no_main]

use std::sync::LazyLock;

use papan_fuzz::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("PAPAN_FUZZ").expect("PAPAN_FUZZ names a target");
    let found = TARGETS.iter().find(|target| target.name == name);
    found.expect("PAPAN_FUZZ names one of the targets")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.read)(bytes));
