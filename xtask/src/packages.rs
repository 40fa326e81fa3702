//! Debian packages that the tests need.

use anyhow::bail;

use crate::step::{command, exists, run};

/// A program that a test starts, and the package that it comes in.
const NEEDED: [(&str, &str); 2] = [("gtp-rhino", "grhino"), ("python3", "python3-venv")];

/// Installs what is missing where that is allowed, and says exactly what is
/// missing where it is not.
pub(crate) fn ensure() -> anyhow::Result<()> {
    // Debian keeps games outside the usual path.
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|(program, _)| {
            !exists(program) && !std::path::Path::new("/usr/games").join(program).is_file()
        })
        .map(|(_, package)| *package)
        .collect();
    install(&missing)
}

/// Installs packages where that is allowed, and names them where it is not.
pub(crate) fn install(missing: &[&str]) -> anyhow::Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    if !exists("apt-get") || !is_root() {
        bail!(
            "the tests need these Debian packages: {0}\ninstall them with: sudo apt-get install {0}",
            missing.join(" ")
        );
    }
    run(command("apt-get", &["update", "-qq"]))?;
    let mut words = vec!["install", "-y", "-qq", "--no-install-recommends"];
    words.extend(missing);
    let mut install = command("apt-get", &words);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    run(install)
}

fn is_root() -> bool {
    let id = command("id", &["-u"]).output();
    id.is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}
