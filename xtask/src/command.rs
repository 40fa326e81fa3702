//! Running other programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, bail};

use crate::packages;

/// Why something cannot be tested on this machine.
#[derive(Debug, thiserror::Error)]
#[error("skipped: {0}")]
pub(crate) struct Skipped(pub(crate) String);

/// Exit code of a process that skipped its test, as for automake.
pub(crate) const SKIPPED: u8 = 77;

/// Runs cargo with these arguments.
pub(crate) fn cargo(args: &[&str]) -> anyhow::Result<()> {
    run(command("cargo", args))
}

/// Returns a command that runs in the root of the workspace.
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command.envs(packages::nats_server());
    // `cargo run` sets the variables of this package. A nested cargo would pass them to build
    // scripts with `rerun-if-env-changed`, and rebuild their packages each time.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Returns the root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a directory of the workspace")
}

/// Returns cargo's target directory.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns the directory in which a test tool is installed, outside the repository.
pub(crate) fn cache(name: &str) -> anyhow::Result<PathBuf> {
    let xdg = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::home_dir().map(|home| home.join(".cache"));
    let cache = xdg.or(home).context("there is no home directory")?;
    Ok(cache.join("papan").join(name))
}

/// Sets the permissions of a file.
#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// No task that needs it runs on Windows.
#[cfg(not(unix))]
pub(crate) fn set_mode(_: &Path, _: u32) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Builds papan in the debug profile and returns the path of the program.
pub(crate) fn debug_binary() -> anyhow::Result<String> {
    build_debug()?;
    Ok(target().join("debug/papan").display().to_string())
}

/// Builds the example of that name in the debug profile and returns the path of the program.
pub(crate) fn debug_example(name: &str) -> anyhow::Result<PathBuf> {
    build_debug()?;
    Ok(target().join("debug/examples").join(name))
}

/// Builds papan and the examples with the features that dependencies have in the tests: those of the whole
/// workspace, and of the packages that only examples and tests use. After the tests nothing is compiled; a
/// package by itself would compile most crates again.
fn build_debug() -> anyhow::Result<()> {
    cargo(&[
        "build",
        "--quiet",
        "--workspace",
        "--bin",
        "papan",
        "--examples",
    ])
}

/// Builds papan in the release profile and returns the path of the program.
pub(crate) fn release_binary() -> anyhow::Result<String> {
    cargo(&["build", "--release", "--package", "papan"])?;
    Ok(target().join("release/papan").display().to_string())
}

/// Returns the same command under `timeout`, which also ends its children.
pub(crate) fn within(command: &Command, deadline: Instant) -> Command {
    let left = deadline.saturating_duration_since(Instant::now());
    let mut limited = Command::new("timeout");
    limited.arg(left.as_secs().max(1).to_string());
    limited.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        limited.current_dir(folder);
    }
    limited
}

/// Prints and runs a command; fails unless it succeeds.
pub(crate) fn run(mut command: Command) -> anyhow::Result<()> {
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let line = words.join(" ");
    println!("\n== {line}");
    let started = Instant::now();
    let status = command.status();
    let status = status.with_context(|| format!("cannot start {line}"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    println!("== done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a command without showing its output, and returns whether it succeeds.
pub(crate) fn succeeds(mut command: Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Returns whether a program is on the search path.
pub(crate) fn exists(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}
