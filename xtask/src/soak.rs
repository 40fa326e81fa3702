//! `cargo xtask soak`: servers, workers and the database fall and rise again, for as
//! long as wanted, and nothing may be lost or doubled.

use anyhow::{Context as _, bail};

use crate::command::{cargo, root};
use crate::packages;

/// Runs the soak with the release build.
pub(crate) fn run(mut words: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let minutes = words.next().unwrap_or_else(|| "10".into());
    let count: f64 = minutes
        .parse()
        .with_context(|| format!("{minutes} minutes"))?;
    if !count.is_finite() || count <= 0.0 {
        bail!("a soak takes some minutes, not {minutes}");
    }
    packages::ensure()?;
    cargo(&["build", "--release"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root().join("target"), Into::into);
    let papan = target.join("release/papan").display().to_string();
    let example = ["run", "--release", "-p", "papan", "--example", "soak", "--"];
    cargo(&[&example[..], &[&papan, &minutes]].concat())
}
