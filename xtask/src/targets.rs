//! Machines that the tests do not run on: what must work there is compiled for them.

use crate::command::{self, command};

/// A machine, and the crates that must compile for it.
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
        ],
        why: "rules, strategies, engines, solver and view need no clock, files or threads of their own",
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
        crates: &["papan-rules", "papan-strategies", "papan-othello"],
        why: "the engines' portable path compiles",
    },
];

/// Checks every target whose standard library is installed, and names the others.
pub(crate) fn check() -> anyhow::Result<()> {
    for target in &TARGETS {
        if !is_installed(target.name) {
            println!(
                "\n== {}: not installed, so it is not checked that {}; `rustup target add {}` installs it",
                target.name, target.why, target.name
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

/// Whether rustc finds the standard library of a target.
fn is_installed(target: &str) -> bool {
    let asked = command("rustc", &["--print", "target-libdir", "--target", target]).output();
    asked.is_ok_and(|answer| {
        let folder = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        answer.status.success() && std::path::Path::new(&folder).is_dir()
    })
}
