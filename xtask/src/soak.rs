//! `cargo xtask soak`: a soak test that kills and restarts servers, workers and the database, and
//! checks that no game or job is lost or duplicated.

use anyhow::{Context as _, bail};

use crate::command::{cargo, release_binary};
use crate::packages;

/// Runs the soak test in the release profile; with `--faults N` that of the job system alone, with a
/// fixed number of faults.
pub(crate) fn run(mut args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let first = args.next().unwrap_or_else(|| "10".into());
    if first == "--faults" {
        let faults = args.next().context("--faults requires a number")?;
        let count: u64 = faults
            .parse()
            .with_context(|| format!("faults: {faults}"))?;
        packages::ensure()?;
        let bench = ["bench", "-p", "papan-jobs", "--bench", "faults", "--"];
        return cargo(&[&bench[..], &[&count.to_string()]].concat());
    }
    let minutes = first;
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
