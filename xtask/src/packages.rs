//! Installs the Debian packages that the tests need.

use std::path::PathBuf;

use anyhow::bail;

use crate::command::{command, exists, run, succeeds};

/// Programs that the tests run, and the packages that contain them.
const NEEDED: [(&str, &str); 7] = [
    ("gtp-rhino", "grhino"),
    ("python3", "python3-venv"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("chromium", "chromium"),
    ("initdb", "postgresql"),
    ("nats-server", "nats-server"),
];

/// Installs missing packages, or fails with their names if that is not permitted.
pub(crate) fn ensure() -> anyhow::Result<()> {
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|(program, _)| !exists(program) && !exists_off_path(program))
        .map(|(_, package)| *package)
        .collect();
    install(&missing)
}

/// Searches the directories of games, of servers and of PostgreSQL, which Debian keeps off the search path.
fn exists_off_path(program: &str) -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let mut folders = (versions.into_iter().flatten().flatten())
        .map(|version| version.path().join("bin"))
        .chain(["/usr/games", "/usr/sbin"].map(PathBuf::from));
    folders.any(|folder| folder.join(program).is_file())
}

/// Installs packages, or fails with their names if that is not permitted.
pub(crate) fn install(missing: &[&str]) -> anyhow::Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let Some(prefix) = apt_get_command() else {
        bail!(
            "the tests need these Debian packages: {0}\n\
             install them with: sudo apt-get install --no-install-recommends {0}",
            missing.join(" ")
        );
    };
    let apt_get = |args: &[&str]| run(command(prefix[0], &[&prefix[1..], args].concat()));
    apt_get(&["update", "-qq"])?;
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    apt_get(&[&install, missing].concat())
}

/// Returns the command that runs apt-get as root without asking for a password, if there is one.
fn apt_get_command() -> Option<&'static [&'static str]> {
    let id = command("id", &["-u"]).output();
    let is_root = id.is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    if !exists("apt-get") {
        None
    } else if is_root {
        Some(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
    } else if succeeds(command("sudo", &["-n", "true"])) {
        Some(&["sudo", "-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
    } else {
        None
    }
}
