//! The source archive: the files of the last commit with the sources of all crates, so that a
//! distribution can build papan without a network.

use std::fs;
use std::path::Path;

use anyhow::ensure;

use super::{tar, version};
use crate::command::{command, run, target};
use crate::platforms::checked;

/// Where cargo looks for crates in the unpacked archive.
const VENDORED: &str = "
[source.crates-io]
replace-with = \"vendored\"

[source.vendored]
directory = \"vendor\"
";

/// Packs the source archive.
pub(super) fn pack(folder: &Path) -> anyhow::Result<()> {
    let name = format!("papan-{}-source", version()?);
    let work = tempfile::tempdir()?;
    let prefix = format!("--prefix={name}/");
    let committed = work.path().join("committed.tar");
    let mut export = command("git", &["archive", "--format=tar", &prefix, "--output"]);
    export.arg(&committed).arg("HEAD");
    run(export)?;
    let mut unpack = command("tar", &["--extract", "--file"]);
    unpack.arg(&committed).current_dir(work.path());
    checked(unpack)?;
    let tree = work.path().join(&name);
    let mut vendor = command("cargo", &["vendor", "--locked", "--quiet", "vendor"]);
    vendor.current_dir(&tree);
    checked(vendor)?;
    let config = tree.join(".cargo/config.toml");
    let commit = checked(command("git", &["rev-parse", "HEAD"]))?;
    let commit = commit.trim();
    // For `papan --version`, and so that its workers share jobs with those of the other packages.
    let environment = format!("\n[env]\nPAPAN_COMMIT = \"{commit}\"\nPAPAN_RELEASE = \"1\"\n");
    let text = fs::read_to_string(&config)? + VENDORED + &environment;
    fs::write(&config, text)?;
    tar(work.path(), &name, &folder.join(format!("{name}.tar.xz")))?;
    build(&tree, &work.path().join("home"), commit)
}

/// Builds papan from the unpacked archive, without a network.
fn build(tree: &Path, home: &Path, commit: &str) -> anyhow::Result<()> {
    let words = ["build", "--offline", "--locked", "-p", "papan"];
    let mut build = command("cargo", &words);
    let folder = target().join("source");
    // With a home of its own, cargo finds no crate elsewhere.
    build.env("CARGO_HOME", home);
    build.env("CARGO_TARGET_DIR", &folder).current_dir(tree);
    run(build)?;
    let program = folder.join("debug/papan").display().to_string();
    let named = checked(command(&program, &["--version"]))?;
    let is_named = named.contains(&version()?) && named.contains(&commit[..9]);
    ensure!(is_named, "built from the source archive: {named}");
    // The next archive has another path, so its build would not use this one.
    fs::remove_dir_all(&folder)?;
    Ok(())
}
