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
//! | `papan.rb`, `papan.json`, `papan.*.yaml`, `PKGBUILD` | Homebrew, Scoop, winget, AUR |
//! | `io.github.papan_game.papan.*` | Flathub |
//! | `papan-VERSION-….whl`, `papan-VERSION.tar.gz` | Python |
//! | `papan-VERSION-site.tar.gz` | the static site |
//! | `papan-VERSION-source.tar.xz` | distributions: the sources with all crates |
//! | `papan-VERSION.cdx.json` | the bill of materials (SBOM) of the programs |
//! | `SHA256SUMS` | all of them |
//!
//! Each archive is unpacked and used, and the Debian package installed, where that is possible.
//!
//! For x86-64 there are two programs, `papan` for any processor and `papan-x86-64-v3`, which the first
//! one starts where the processor has AVX2 and BMI2. The wheel and the site are left out, with a line
//! that says so, where their tools are missing.

pub(crate) mod debian;
pub(crate) mod documents;
mod flatpak;
pub(crate) mod manifests;
mod sbom;
mod source;
mod trial;

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
    "Plays, solves and proves tic-tac-toe on any board, gomoku and Othello";

/// A command that tries an installed program, and a part of its output.
pub(crate) const TRIAL: (&str, &str) = ("prove tictactoe minimax --as second", "never loses");

/// Largest sizes of a program, of the Debian package and of the container image, in bytes.
const MAX_BINARY: u64 = 32_000_000;
const MAX_PACKAGE: u64 = 20_000_000;
const MAX_CONTAINER: u64 = 45_000_000;

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

/// The halves of the universal program of macOS.
const MAC_BUILDS: [Build; 2] = [
    Build {
        name: "macos-arm64",
        cross: &MAC[0],
        has_portable: false,
    },
    Build {
        name: "macos-x86-64",
        cross: &MAC[1],
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
    if cfg!(target_os = "macos") {
        make_universal(&Documents::print(&debug_binary()?)?, &folder)?;
        return checksums(&folder);
    }
    let is_wanted = |build: &&Build| {
        wanted.is_empty()
            || wanted
                .iter()
                .any(|name| build.name.starts_with(name.as_str()))
    };
    let builds: Vec<&Build> = BUILDS.iter().filter(is_wanted).collect();
    if !builds.is_empty() {
        let documents = Documents::print(&debug_binary()?)?;
        for build in builds {
            match build.cross.install_compiler() {
                Ok(()) => make(build, &documents, &folder)?,
                Err(why) => println!("\n== {}: {why}", build.name),
            }
        }
    }
    let has = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    if has(ENGINE) {
        pack_engine(&folder)?;
        check_container()?;
    }
    if has("source") {
        source::pack(&folder)?;
        sbom::write(&folder)?;
    }
    manifests::write(&folder)?;
    if has("wheel") {
        optional("the wheel", || wheel(&folder))?;
    }
    if has("site") {
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

/// Checks the size of what `deploy/Containerfile` puts into its image: a static program and the engine
/// for browsers.
fn check_container() -> anyhow::Result<()> {
    let program = STATIC.program("dist");
    if !program.is_file() {
        println!("\n== the container image was not measured: it needs the build linux-x86-64");
        return Ok(());
    }
    let mut size = fs::metadata(program)?.len();
    let mut folders = vec![target().join("engine")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                size += entry.metadata()?.len();
            }
        }
    }
    check_size("the container image", size, MAX_CONTAINER)
}

/// Checks the sizes of the programs of a build.
fn check_sizes(build: &Build, programs: &[Program]) -> anyhow::Result<()> {
    for (name, program) in programs {
        let bytes = fs::metadata(program)?.len();
        check_size(&format!("{} {name}", build.name), bytes, MAX_BINARY)?;
    }
    Ok(())
}

/// Prints a size, and fails if it is larger than permitted.
fn check_size(what: &str, bytes: u64, most: u64) -> anyhow::Result<()> {
    println!("{what}: {bytes} bytes");
    ensure!(
        bytes <= most,
        "{what} has {bytes} bytes; at most {most} are allowed"
    );
    Ok(())
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
    if !exists("node") || !wasm::is_possible()? {
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
    check_sizes(build, &programs)?;
    let archive = pack(build.name, &programs, documents, folder)?;
    trial::archive(build.cross, &archive)?;
    match build.name {
        "linux-x86-64" => {
            let package = debian::build(&programs, documents, "amd64", folder)?;
            let bytes = fs::metadata(&package)?.len();
            check_size("the Debian package", bytes, MAX_PACKAGE)?;
            trial::unless_skipped("the Debian package", debian::install(&package))
        }
        "windows-x86-64" => trial::brain(&brain(&programs[0].1, folder)?),
        _ => Ok(()),
    }
}

/// Compiles papan with the profile `dist`.
fn compile(build: &Build) -> anyhow::Result<Vec<Program>> {
    let fast = if build.has_portable {
        Some("x86-64-v3")
    } else {
        None
    };
    run(cargo(build.cross, fast)?)?;
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
    let mut portable = cargo(build.cross, Some(PORTABLE))?;
    portable.env("CARGO_TARGET_DIR", &folder);
    run(portable)?;
    let portable = folder.join(program.strip_prefix(target())?);
    Ok(vec![(name, portable), (faster, program)])
}

/// Returns the command that compiles papan, with the same bytes wherever the sources and the crates
/// are, and marked as the release of its version: its workers share jobs with those of any other build
/// of the release.
fn cargo(cross: &Cross, processor: Option<&str>) -> anyhow::Result<Command> {
    let words = ["build", "--profile", "dist", "-p", "papan", "--locked"];
    let mut cargo = cross.cargo(&words)?;
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let crates = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let crates = crates.unwrap_or_else(|| Path::new(&home).join(".cargo"));
    // Of nested paths the last one counts.
    let mut flags = vec![
        format!("--remap-path-prefix={}=/cargo", crates.display()),
        format!("--remap-path-prefix={}=/papan", root().display()),
    ];
    flags.extend(processor.map(|name| format!("-Ctarget-cpu={name}")));
    if cross.has_lld() {
        // Functions with the same code once, and relocations as a bit map: the program loads at a random
        // address. Together they save 1 MB.
        flags
            .extend(["--icf=all", "--pack-dyn-relocs=relr"].map(|arg| format!("-Clink-arg={arg}")));
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    // For linkers that write the time into the program.
    cargo.env("SOURCE_DATE_EPOCH", epoch()?);
    cargo.env("PAPAN_RELEASE", "1");
    Ok(cargo)
}

/// Makes a program for both processors of macOS, on macOS, and the faster one for Intel, which that
/// one starts.
fn make_universal(documents: &Documents, folder: &Path) -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    let universal = work.path().join("papan");
    let mut join = command("lipo", &["-create", "-output"]);
    join.arg(&universal);
    let mut packed = vec![("papan", universal)];
    for build in &MAC_BUILDS {
        build.cross.install_compiler()?;
        let mut programs = compile(build)?;
        check_sizes(build, &programs)?;
        join.arg(programs.remove(0).1);
        packed.extend(programs);
    }
    run(join)?;
    let archive = pack("macos-universal", &packed, documents, folder)?;
    trial::archive(MAC_BUILDS[0].cross, &archive)
}

/// Packs programs with their documents.
fn pack(
    build: &str,
    programs: &[Program],
    documents: &Documents,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
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
    let is_zip = build.starts_with("windows");
    let end = if is_zip { "zip" } else { "tar.gz" };
    let archive = folder.join(format!("{name}.{end}"));
    if is_zip {
        zip(work.path(), &name, &archive)?;
    } else {
        tar(work.path(), &name, &archive)?;
    }
    Ok(archive)
}

/// Makes the permissions of all files those of a usual umask, whatever that of this process is.
fn settle_modes(tree: &Path) -> anyhow::Result<()> {
    let mut settle = command("chmod", &["-R", "u=rwX,go=rX"]);
    settle.arg(tree);
    checked(settle).map(drop)
}

/// Packs a folder with reproducible bytes.
fn tar(work: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    settle_modes(&work.join(name))?;
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
    let is_xz = archive.extension().is_some_and(|end| end == "xz");
    let compress = if is_xz { "xz -T2 -6" } else { "gzip -9n" };
    let compress = format!("--use-compress-program={compress}");
    tar.args([&mtime, &compress, "--file"]);
    tar.arg(archive).arg("--directory").arg(work).arg(name);
    run(tar)
}

/// Packs the program under the name that managers of Gomocup look for, at the root of the archive.
fn brain(program: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let work = tempfile::tempdir()?;
    fs::copy(program, work.path().join("pbrain-papan.exe"))?;
    fs::copy(root().join("LICENSE-MIT"), work.path().join("LICENSE.txt"))?;
    let archive = folder.join(format!("papan-{}-gomocup.zip", version()?));
    zip(work.path(), ".", &archive)?;
    Ok(archive)
}

/// Packs a folder with reproducible bytes.
fn zip(work: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    settle_modes(&work.join(name))?;
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
    #[cfg(unix)]
    use crate::command::set_mode;

    /// Files as two umasks make them, packed twice.
    #[cfg(unix)]
    #[test]
    fn archives_do_not_depend_on_the_umask() {
        let pack = |folder_mode, file_mode, program_mode| {
            let work = tempfile::tempdir().unwrap();
            let tree = work.path().join("papan");
            fs::create_dir_all(tree.join("man")).unwrap();
            for (name, mode) in [("man/papan.1", file_mode), ("papan", program_mode)] {
                fs::write(tree.join(name), name).unwrap();
                set_mode(&tree.join(name), mode).unwrap();
            }
            for folder in [tree.join("man"), tree] {
                set_mode(&folder, folder_mode).unwrap();
            }
            let archives = ["a.tar.gz", "a.zip"].map(|name| work.path().join(name));
            tar(work.path(), "papan", &archives[0]).unwrap();
            let mut made = vec![fs::read(&archives[0]).unwrap()];
            if exists("zip") {
                zip(work.path(), "papan", &archives[1]).unwrap();
                made.push(fs::read(&archives[1]).unwrap());
            }
            made
        };
        assert_eq!(pack(0o755, 0o644, 0o755), pack(0o700, 0o600, 0o700));
    }

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
