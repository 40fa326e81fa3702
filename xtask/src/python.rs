//! Installs programs from PyPI, each in its own virtual environment.

use std::path::Path;

use crate::command::{cache, command, run, succeeds};
use crate::packages;

/// Installs a program if it is missing and returns its path.
pub(crate) fn install(name: &str, requirement: &str) -> anyhow::Result<String> {
    let folder = cache(name)?;
    let program = folder.join("bin").join(name).display().to_string();
    if !Path::new(&program).is_file() {
        let text = folder.display().to_string();
        // On Debian venv is a separate package.
        if !succeeds(command("python3", &["-m", "ensurepip", "--version"])) {
            packages::install(&["python3-venv"])?;
        }
        run(command("python3", &["-m", "venv", &text]))?;
        let pip = folder.join("bin/pip").display().to_string();
        run(command(&pip, &["install", "--quiet", requirement]))?;
    }
    Ok(program)
}
