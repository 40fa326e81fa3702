//! Running other programs, saying what is run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, bail};

/// Runs cargo with these words.
pub(crate) fn cargo(words: &[&str]) -> anyhow::Result<()> {
    run(command("cargo", words))
}

/// A command in the workspace's root.
pub(crate) fn command(program: &str, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).current_dir(root());
    // `cargo run` tells this program what package it is. Build scripts that look there would
    // take their package for changed, and everything behind them would be built again.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// The workspace's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace")
}

/// Where programs for the tests are installed, outside the repository.
pub(crate) fn cache(name: &str) -> anyhow::Result<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = cache.or(home).context("there is no home directory")?;
    Ok(cache.join("papan").join(name))
}

/// Builds the program as the tests do, and says where it is.
pub(crate) fn debug_binary() -> anyhow::Result<String> {
    cargo(&["build", "--quiet"])?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("debug/papan").display().to_string())
}

/// Runs a command to its end; anything but success is an error.
pub(crate) fn run(mut command: Command) -> anyhow::Result<()> {
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let shown = words.join(" ");
    println!("\n== {shown}");
    let started = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    println!("== done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Whether a command succeeds; nobody is told what it says.
pub(crate) fn succeeds(mut command: Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Whether a program can be started at all.
pub(crate) fn exists(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}
