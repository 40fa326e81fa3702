//! `cargo xtask dist`: the files of a release that a Linux machine can make, in `target/dist`.
//!
//! | file | for |
//! |---|---|
//! | `papan-VERSION-linux-x86-64.tar.gz` | Linux, static |
//! | `papan-VERSION-linux-arm64.tar.gz` | Linux on ARM |
//! | `papan-VERSION-windows-x86-64.zip` | Windows |
//! | `papan-VERSION-engine.tar.gz` | browsers, as `papan serve --engine` serves it |
//! | `papan-VERSION-gomocup.zip` | `pbrain-papan.exe` for managers of Gomocup |
//! | `papan_VERSION_amd64.deb` | Debian and Ubuntu |
//! | `papan.rb`, `papan.json` | Homebrew, Scoop |
//! | `papan-VERSION-….whl`, `papan-VERSION.tar.gz` | Python |
//! | `papan-VERSION-site.tar.gz` | the static site |
//! | `SHA256SUMS` | all of them |
//!
//! For x86-64 there are two programs, `papan` for any processor and `papan-x86-64-v3`, which the first
//! one starts where the processor has AVX2 and BMI2. The wheel and the site are left out, with a line
//! that says so, where their tools are missing.

pub(crate) mod debian;
pub(crate) mod documents;
pub(crate) mod manifests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::command::{command, debug_binary, exists, root, run, target};
use crate::cross::{ARM, Cross, MAC, STATIC, WINDOWS};
use crate::platforms::checked;
use crate::{packages, wasm};
use documents::Documents;

pub(crate) const HOMEPAGE: &str = "https://github.com/papan-game/papan";
pub(crate) const DESCRIPTION: &str =
    "Plays, solves and proves tic-tac-toe on any board, and Othello";

/// Largest binary and largest Debian package, in bytes.
const MAX_BINARY: u64 = 32 << 20;
const MAX_PACKAGE: u64 = 20 << 20;

/// One binary of a release.
struct Build {
    /// The end of the archive's name.
    name: &'static str,
    cross: &'static Cross,
    /// Whether a portable program comes with it, which starts this one if the processor permits.
    has_portable: bool,
}

const BUILDS: [Build; 3] = [
    Build {
        name: "linux-x86-64",
        cross: &STATIC,
        has_portable: true,
    },
    Build {
        name: "linux-arm64",
        cross: &ARM,
        has_portable: false,
    },
    Build {
        name: "windows-x86-64",
        cross: &WINDOWS,
        has_portable: true,
    },
];

/// The processor of portable programs.
const PORTABLE: &str = "x86-64";

/// Makes the files of the builds whose names begin with one of the arguments, or of all.
pub(crate) fn run_all(arguments: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let wanted: Vec<String> = arguments.collect();
    let folder = target().join("dist");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    if !exists("zip") {
        packages::install(&["zip"])?;
    }
    let documents = Documents::print(&debug_binary()?)?;
    let is_wanted = |build: &&Build| {
        wanted.is_empty()
            || wanted
                .iter()
                .any(|name| build.name.starts_with(name.as_str()))
    };
    if cfg!(target_os = "macos") {
        make_universal(&documents, &folder)?;
        return checksums(&folder);
    }
    for build in BUILDS.iter().filter(is_wanted) {
        if build.cross.can_build() {
            make(build, &documents, &folder)?;
        }
    }
    if wanted.is_empty() || wanted.iter().any(|name| ENGINE.starts_with(name.as_str())) {
        pack_engine(&folder)?;
    }
    manifests::write(&folder)?;
    if wanted.is_empty() || wanted.iter().any(|name| name == "wheel") {
        optional("the wheel", || wheel(&folder))?;
    }
    if wanted.is_empty() || wanted.iter().any(|name| name == "site") {
        optional("the static site", || static_site(&folder))?;
    }
    checksums(&folder)
}

/// The end of the name of the archive with the engine for browsers.
const ENGINE: &str = "engine";

/// Packs the engine for browsers.
fn pack_engine(folder: &Path) -> anyhow::Result<()> {
    let name = format!("papan-{}-{ENGINE}", version()?);
    let work = tempfile::tempdir()?;
    let tree = work.path().join(&name);
    copy_tree(&wasm::engine()?, &tree)?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(name), tree.join(name))?;
    }
    tar(work.path(), &name, &folder.join(format!("{name}.tar.gz")))
}

fn copy_tree(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// Makes what needs tools that a machine may lack.
fn optional(what: &str, make: impl FnOnce() -> anyhow::Result<bool>) -> anyhow::Result<()> {
    if !make()? {
        println!("\n== skipping {what}: its tools are missing");
    }
    Ok(())
}

/// Makes and tests the wheel and its source distribution, if the tools are there.
fn wheel(folder: &Path) -> anyhow::Result<bool> {
    if !exists("python3") || !exists("npm") {
        return Ok(false);
    }
    let made = crate::wheel::release()?;
    for entry in fs::read_dir(made)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(true)
}

/// Makes the static site, if the tools are there.
fn static_site(folder: &Path) -> anyhow::Result<bool> {
    if !exists("node") || wasm::ensure_target("wasm32-unknown-unknown").is_err() {
        return Ok(false);
    }
    let site = crate::site::build(None)?;
    let name = format!("papan-{}-site", version()?);
    tar(&site, ".", &folder.join(format!("{name}.tar.gz")))?;
    Ok(true)
}

/// A program and its name in packages.
pub(crate) type Program = (&'static str, PathBuf);

fn make(build: &Build, documents: &Documents, folder: &Path) -> anyhow::Result<()> {
    let programs = compile(build)?;
    for (name, program) in &programs {
        let bytes = fs::metadata(program)?.len();
        println!("{} {name}: {bytes} bytes", build.name);
        ensure!(
            bytes <= MAX_BINARY,
            "{} has {bytes} bytes; at most {MAX_BINARY} are allowed",
            program.display()
        );
    }
    pack(build.name, &programs, documents, folder)?;
    match build.name {
        "linux-x86-64" => {
            let package = debian::build(&programs, documents, "amd64", folder)?;
            let bytes = fs::metadata(&package)?.len();
            println!("{}: {bytes} bytes", package.display());
            ensure!(
                bytes <= MAX_PACKAGE,
                "the package has {bytes} bytes; at most {MAX_PACKAGE} are allowed"
            );
        }
        "windows-x86-64" => brain(&programs[0].1, folder)?,
        _ => {}
    }
    Ok(())
}

/// Compiles papan with the profile `dist`.
fn compile(build: &Build) -> anyhow::Result<Vec<Program>> {
    let cargo = || -> anyhow::Result<_> {
        let words = ["build", "--profile", "dist", "-p", "papan", "--locked"];
        Ok(release(build.cross.cargo(&words)?))
    };
    run(cargo()?)?;
    let program = build.cross.program("dist");
    let [name, faster] = if build.name.starts_with("windows") {
        ["papan.exe", "papan-x86-64-v3.exe"]
    } else {
        ["papan", "papan-x86-64-v3"]
    };
    if !build.has_portable {
        return Ok(vec![(name, program)]);
    }
    // Other flags need another directory, or each build would discard the one before.
    let folder = target().join(PORTABLE);
    let mut portable = cargo()?;
    portable.env("RUSTFLAGS", format!("-C target-cpu={PORTABLE}"));
    portable.env("CARGO_TARGET_DIR", &folder);
    run(portable)?;
    let portable = folder.join(program.strip_prefix(target())?);
    Ok(vec![(name, portable), (faster, program)])
}

/// Marks a build as the release of its version: its workers share jobs with those of any other
/// build of the release.
fn release(mut cargo: Command) -> Command {
    cargo.env("PAPAN_RELEASE", "1");
    cargo
}

/// Makes a program for both processors of macOS, on macOS.
fn make_universal(documents: &Documents, folder: &Path) -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    let universal = work.path().join("papan");
    let mut join = command("lipo", &["-create", "-output"]);
    join.arg(&universal);
    for cross in &MAC {
        ensure!(cross.can_build(), "{} is missing", cross.target);
        let words = ["build", "--profile", "dist", "-p", "papan", "--locked"];
        run(release(cross.cargo(&words)?))?;
        join.arg(cross.program("dist"));
    }
    run(join)?;
    pack(
        "macos-universal",
        &[("papan", universal)],
        documents,
        folder,
    )
}

/// Packs programs with their documents.
fn pack(
    build: &str,
    programs: &[Program],
    documents: &Documents,
    folder: &Path,
) -> anyhow::Result<()> {
    let name = format!("papan-{}-{build}", version()?);
    let work = tempfile::tempdir()?;
    let tree = work.path().join(&name);
    fs::create_dir_all(tree.join("man"))?;
    fs::create_dir_all(tree.join("completions"))?;
    fs::create_dir_all(tree.join("automata"))?;
    for (name, program) in programs {
        fs::copy(program, tree.join(name))?;
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(name), tree.join(name))?;
    }
    for entry in fs::read_dir(root().join("data/automata"))? {
        let entry = entry?;
        fs::copy(entry.path(), tree.join("automata").join(entry.file_name()))?;
    }
    for (name, page) in &documents.man {
        fs::write(tree.join("man").join(name), page)?;
    }
    for (shell, script) in &documents.completions {
        fs::write(
            tree.join("completions").join(format!("papan.{shell}")),
            script,
        )?;
    }
    if build.starts_with("windows") {
        return zip(work.path(), &name, &folder.join(format!("{name}.zip")));
    }
    tar(work.path(), &name, &folder.join(format!("{name}.tar.gz")))
}

/// Packs a folder with reproducible bytes.
fn tar(work: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    // Names in order, no owners, the time of the last commit: reproducible bytes.
    let mtime = format!("--mtime=@{}", epoch()?);
    let options = [
        "--create",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
    ];
    // The options are those of GNU tar, which has another name on macOS.
    let program = if exists("gtar") { "gtar" } else { "tar" };
    let mut tar = command(program, &options);
    tar.args([&mtime, "--use-compress-program=gzip -9n", "--file"]);
    tar.arg(archive).arg("--directory").arg(work).arg(name);
    run(tar)
}

/// Packs the program under the name that managers of Gomocup look for, at the root of the archive.
fn brain(program: &Path, folder: &Path) -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    fs::copy(program, work.path().join("pbrain-papan.exe"))?;
    fs::copy(root().join("LICENSE-MIT"), work.path().join("LICENSE.txt"))?;
    let archive = folder.join(format!("papan-{}-gomocup.zip", version()?));
    zip(work.path(), ".", &archive)
}

/// Packs a folder with reproducible bytes.
fn zip(work: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    let stamp = format!("@{}", epoch()?);
    let mut touch = command("find", &[name, "-exec", "touch", "-d", &stamp, "{}", "+"]);
    touch.current_dir(work);
    checked(touch)?;
    let mut list = command("find", &[name, "-type", "f"]);
    list.current_dir(work);
    let mut names: Vec<String> = checked(list)?.lines().map(str::to_owned).collect();
    names.sort();
    let mut zip = command("zip", &["-9", "-X", "-q"]);
    zip.arg(archive)
        .args(&names)
        .current_dir(work)
        .env("TZ", "UTC");
    run(zip)
}

/// Writes the SHA-256 digests of all files.
fn checksums(folder: &Path) -> anyhow::Result<()> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let text = sha256(folder, &names)?;
    print!("{text}");
    fs::write(folder.join("SHA256SUMS"), text)?;
    Ok(())
}

/// Returns the digests of files in the format of `sha256sum`, which older systems of macOS do not have.
pub(crate) fn sha256(folder: &Path, names: &[String]) -> anyhow::Result<String> {
    let mut sums = if exists("sha256sum") {
        command("sha256sum", &[])
    } else {
        command("shasum", &["-a", "256"])
    };
    sums.args(names).current_dir(folder);
    checked(sums)
}

/// Returns the version of papan.
pub(crate) fn version() -> anyhow::Result<String> {
    let text = fs::read_to_string(root().join("Cargo.toml"))?;
    let manifest: toml::Value = toml::from_str(&text)?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.context("the workspace has a version")?.to_owned())
}

/// Returns the time of the last commit in seconds since 1970, or `SOURCE_DATE_EPOCH`.
pub(crate) fn epoch() -> anyhow::Result<String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(given);
    }
    let time = checked(command("git", &["log", "-1", "--format=%ct"]))?;
    Ok(time.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_name_the_archives() {
        let version = version().unwrap();
        for page in ["README.md", "docs/getting-started.md"] {
            let text = fs::read_to_string(root().join(page)).unwrap();
            let names = BUILDS.iter().map(|build| build.name);
            for name in names.chain(["macos-universal"]) {
                let end = if name.starts_with("windows") {
                    "zip"
                } else {
                    "tar.gz"
                };
                let archive = format!("papan-{version}-{name}.{end}");
                assert!(text.contains(&archive), "{page} does not name {archive}");
            }
        }
    }

    #[test]
    fn the_workflow_tries_every_archive() {
        let workflow = root().join(".github/workflows/release.yml");
        let workflow = fs::read_to_string(workflow).unwrap();
        for build in &BUILDS {
            let archive = format!("archive: {}.", build.name);
            assert!(workflow.contains(&archive), "{archive}");
        }
    }
}
