//! Checks that the libraries compile for platforms on which the tests do not run.

use crate::command::{self, command};

/// A compilation target and the crates that must compile for it.
struct Target {
    name: &'static str,
    crates: &'static [&'static str],
    why: &'static str,
}

const TARGETS: [Target; 2] = [
    Target {
        name: "wasm32-unknown-unknown",
        crates: &[
            "papan-rules",
            "papan-strategies",
            "papan-othello",
            "papan-solve",
            "papan-view",
            "papan-pages",
        ],
        why: "rules, strategies, engines, solver, view and pages must not need a clock, files or threads",
    },
    Target {
        name: "aarch64-unknown-linux-musl",
        crates: &["papan-rules", "papan-strategies", "papan-othello"],
        why: "the portable code path of the engines must compile",
    },
];

/// Checks all targets whose standard library is installed and reports the others.
pub(crate) fn check() -> anyhow::Result<()> {
    for target in &TARGETS {
        if !is_installed(target.name) {
            println!(
                "\n== skipping {0} ({1}): not installed; install it with `rustup target add {0}`",
                target.name, target.why
            );
            continue;
        }
        let mut check = command("cargo", &["check", "--quiet", "--target", target.name]);
        for name in target.crates {
            check.args(["-p", name]);
        }
        command::run(check)?;
    }
    Ok(())
}

/// Returns whether the standard library of a target is installed.
pub(crate) fn is_installed(target: &str) -> bool {
    let libdir = command("rustc", &["--print", "target-libdir", "--target", target]).output();
    libdir.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && std::path::Path::new(&folder).is_dir()
    })
}
