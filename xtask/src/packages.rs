//! Debian packages that the tests need.

use std::path::Path;

use anyhow::bail;

use crate::command::{command, exists, run, succeeds};

/// A program that a test starts, and the package that it comes in.
const NEEDED: [(&str, &str); 6] = [
    ("gtp-rhino", "grhino"),
    ("python3", "python3-venv"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("chromium", "chromium"),
    ("initdb", "postgresql"),
];

/// Installs what is missing where that is allowed, and says exactly what is
/// missing where it is not.
pub(crate) fn ensure() -> anyhow::Result<()> {
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|(program, _)| !exists(program) && !is_elsewhere(program))
        .map(|(_, package)| *package)
        .collect();
    install(&missing)
}

/// Debian keeps games outside the usual path, and PostgreSQL's programs by version.
fn is_elsewhere(program: &str) -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let versions = versions.into_iter().flatten().flatten();
    let mut folders = versions.map(|version| version.path().join("bin"));
    Path::new("/usr/games").join(program).is_file()
        || folders.any(|folder| folder.join(program).is_file())
}

/// Installs packages where that is allowed, and names them where it is not.
pub(crate) fn install(missing: &[&str]) -> anyhow::Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let Some(words) = apt_get() else {
        bail!(
            "the tests need these Debian packages: {0}\n\
             install them with: sudo apt-get install --no-install-recommends {0}",
            missing.join(" ")
        );
    };
    let apt_get = |last: &[&str]| run(command(words[0], &[&words[1..], last].concat()));
    apt_get(&["update", "-qq"])?;
    let quietly = ["install", "-y", "-qq", "--no-install-recommends"];
    apt_get(&[&quietly, missing].concat())
}

/// How to start apt-get with the right to install, without asking anybody.
fn apt_get() -> Option<&'static [&'static str]> {
    let id = command("id", &["-u"]).output();
    let is_root = id.is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    if !exists("apt-get") {
        None
    } else if is_root {
        Some(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
    } else if succeeds(command("sudo", &["-n", "true"])) {
        let words = &["sudo", "-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
        Some(words)
    } else {
        None
    }
}
