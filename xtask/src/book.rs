//! Builds the book (`book.toml`, `docs/`) with [mdBook](https://rust-lang.github.io/mdBook/).
//!
//! mdBook is installed as a program: as a library it would add about 100 crates to every build of
//! xtask.

use anyhow::{Context as _, bail};

use crate::command::{cache, command, exists, root, run, target};

/// Version requirement.
const MDBOOK: &str = "^0.4";

/// Builds the book; warnings are errors.
pub(crate) fn build() -> anyhow::Result<()> {
    let mdbook = install()?;
    let folder = target().join("book");
    let output = command(&mdbook, &["build", "--dest-dir"])
        .arg(&folder)
        .arg(root())
        .output()
        .context("cannot start mdbook")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || messages.contains("[WARN]") || messages.contains("[ERROR]") {
        bail!("mdbook:\n{messages}");
    }
    println!("book: built in {}", folder.display());
    Ok(())
}

/// Installs mdBook if it is missing and returns its path.
fn install() -> anyhow::Result<String> {
    if exists("mdbook") {
        return Ok("mdbook".into());
    }
    let folder = cache("mdbook")?;
    let program = folder.join("bin/mdbook");
    if !program.is_file() {
        let mut install = command("cargo", &["install", "--quiet", "--locked", "mdbook"]);
        install.args(["--version", MDBOOK, "--root"]).arg(&folder);
        run(install)?;
    }
    Ok(program.display().to_string())
}
