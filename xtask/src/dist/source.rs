//! The source archive: the files of the last commit with the sources of all crates, so that a
//! distribution can build papan without a network.

use std::fs;
use std::path::Path;

use super::{tar, version};
use crate::command::{command, run};
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
    let text = fs::read_to_string(&config)? + VENDORED;
    fs::write(&config, text)?;
    // With a home of its own, cargo finds no crate elsewhere.
    let home = work.path().join("home");
    let mut resolve = command("cargo", &["metadata", "--offline", "--locked"]);
    resolve.args(["--format-version", "1"]);
    resolve.env("CARGO_HOME", &home).current_dir(&tree);
    checked(resolve)?;
    tar(work.path(), &name, &folder.join(format!("{name}.tar.xz")))
}
