//! `cargo xtask soak`: a soak test that kills and restarts servers, workers and the database, and
//! checks that no game or job is lost or duplicated.

use anyhow::{Context as _, bail};

use crate::command::{cargo, release_binary};
use crate::packages;

/// Runs the soak test in the release profile.
pub(crate) fn run(mut args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let minutes = args.next().unwrap_or_else(|| "10".into());
    let number: f64 = minutes
        .parse()
        .with_context(|| format!("minutes: {minutes}"))?;
    if !number.is_finite() || number <= 0.0 {
        bail!("the number of minutes must be greater than 0, not {minutes}");
    }
    packages::ensure()?;
    let papan = release_binary()?;
    let bench = ["bench", "-p", "papan", "--bench", "soak", "--"];
    cargo(&[&bench[..], &[&papan, &minutes]].concat())
}
