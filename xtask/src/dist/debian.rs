//! The Debian package: a static binary with man pages, completions, systemd units and a system user.
//!
//! The tree is small and made of files that papan prints, so it is packed with `dpkg-deb` alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::documents::Documents;
use super::{DESCRIPTION, HOMEPAGE, Program, TRIAL, epoch, settle_modes, trial, version};
use crate::command::{Skipped, cache, command, debug_binary, exists, root, run, set_mode};
use crate::platforms::{change_root, checked};
use crate::{deploy, packages};

/// Runs when the package is configured.
const POSTINST: &str = "\
#!/bin/sh
set -e
if [ \"$1\" = configure ]; then
  getent passwd papan > /dev/null || useradd --system --user-group \\
    --home-dir /var/lib/papan --no-create-home --shell /usr/sbin/nologin papan
  if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
fi
";

/// Runs before the package is removed.
const PRERM: &str = "\
#!/bin/sh
set -e
if [ \"$1\" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now papan-serve.service papan-worker.service || true
fi
";

/// Runs after the package was removed. As for other packages, the user stays: files may be theirs. A
/// unit with a dynamic user keeps its data in `private`, and `/var/lib/papan` is a link to it.
const POSTRM: &str = "\
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
if [ \"$1\" = purge ]; then rm -rf /var/lib/papan /var/lib/private/papan; fi
";

/// Builds the package of static programs in `folder` and returns its path.
pub(super) fn build(
    programs: &[Program],
    documents: &Documents,
    architecture: &str,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let tree = tempfile::tempdir()?;
    let put = |path: &str, contents: &[u8], mode: u32| -> anyhow::Result<()> {
        let path = tree.path().join(path);
        fs::create_dir_all(path.parent().context("a file of the package")?)?;
        fs::write(&path, contents)?;
        set_mode(&path, mode)?;
        Ok(())
    };
    let mut size = 0;
    for (name, program) in programs {
        let folder = if *name == "papan" {
            "usr/bin"
        } else {
            "usr/lib/papan"
        };
        put(&format!("{folder}/{name}"), &fs::read(program)?, 0o755)?;
        size += fs::metadata(program)?.len();
    }
    for (name, page) in &documents.man {
        put(
            &format!("usr/share/man/man1/{name}.gz"),
            &gzip(page)?,
            0o644,
        )?;
    }
    for (shell, script) in &documents.completions {
        let path = match *shell {
            "bash" => "usr/share/bash-completion/completions/papan",
            "zsh" => "usr/share/zsh/vendor-completions/_papan",
            "fish" => "usr/share/fish/vendor_completions.d/papan.fish",
            _ => continue,
        };
        put(path, script, 0o644)?;
    }
    for unit in deploy::UNITS {
        let text = fs::read_to_string(root().join("deploy").join(unit))?;
        let text = text.replace("/usr/local/bin/papan", "/usr/bin/papan");
        put(
            &format!("usr/lib/systemd/system/{unit}"),
            text.as_bytes(),
            0o644,
        )?;
    }
    for name in ["attack.txt", "defence.txt", "document-000-as-printed.txt"] {
        let table = fs::read(root().join("data/automata").join(name))?;
        put(&format!("usr/share/papan/automata/{name}"), &table, 0o644)?;
    }
    put(
        "usr/share/doc/papan/copyright",
        copyright()?.as_bytes(),
        0o644,
    )?;
    let changelog = fs::read(root().join("CHANGELOG.md"))?;
    put(
        "usr/share/doc/papan/changelog.gz",
        &gzip(&changelog)?,
        0o644,
    )?;
    let control = format!(
        "Package: papan\nVersion: {}\nSection: games\nPriority: optional\n\
         Architecture: {architecture}\nDepends: passwd\n\
         Maintainer: The papan developers <papan-game@users.noreply.github.com>\n\
         Homepage: {HOMEPAGE}\nInstalled-Size: {}\nDescription: {DESCRIPTION}\n \
         One program: full-screen board, web server, engine protocols, tournaments,\n \
         exact solutions with certificates, jobs on many machines.\n",
        version()?,
        size.div_ceil(1024) + 512,
    );
    put("DEBIAN/control", control.as_bytes(), 0o644)?;
    for (name, script) in [("postinst", POSTINST), ("prerm", PRERM), ("postrm", POSTRM)] {
        put(&format!("DEBIAN/{name}"), script.as_bytes(), 0o755)?;
    }
    settle_modes(tree.path())?;
    let package = folder.join(format!("papan_{}_{architecture}.deb", version()?));
    let mut pack = command(
        "dpkg-deb",
        &["--root-owner-group", "-Zxz", "-z9", "--build"],
    );
    pack.arg(tree.path()).arg(&package);
    // Times in the package are those of the last commit, so that the bytes are reproducible.
    pack.env("SOURCE_DATE_EPOCH", epoch()?);
    run(pack)?;
    Ok(package)
}

fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let input = tempfile::NamedTempFile::new()?;
    fs::write(input.path(), bytes)?;
    let output = command("gzip", &["-9nc"]).arg(input.path()).output()?;
    ensure!(output.status.success(), "gzip failed");
    Ok(output.stdout)
}

fn copyright() -> anyhow::Result<String> {
    let mit = fs::read_to_string(root().join("LICENSE-MIT"))?;
    let lines = mit.lines().map(|line| match line {
        "" => " .\n".to_owned(),
        line => format!(" {line}\n"),
    });
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: papan\nSource: {HOMEPAGE}\n\nFiles: *\n\
         Copyright: the papan developers\nLicense: MIT or Apache-2.0\n{} .\n \
         On Debian systems the text of the Apache License 2.0 is in\n \
         /usr/share/common-licenses/Apache-2.0.\n",
        lines.collect::<String>()
    ))
}

/// Packs a debug build and tests the package.
pub(crate) fn test(program: &Path) -> anyhow::Result<()> {
    if !exists("dpkg-deb") {
        return Err(Skipped("dpkg-deb is missing".into()).into());
    }
    let folder = tempfile::tempdir()?;
    // Symbols would make the package of a debug build large.
    let stripped = folder.path().join("papan");
    let mut strip = command("strip", &["-o"]);
    strip.arg(&stripped).arg(program);
    run(strip)?;
    let documents = Documents::print(&debug_binary()?)?;
    let programs = [("papan", stripped)];
    install(&build(&programs, &documents, "amd64", folder.path())?)
}

/// Installs a package in a Debian tree, runs papan there, verifies the units, and removes it.
pub(super) fn install(package: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let tree = folder.path().join("tree");
    unpack_tree(&tree)?;
    let inside = |words: &[&str]| -> anyhow::Result<Command> {
        let mut inside = change_root(&tree)?;
        inside
            .arg("/usr/bin/env")
            .arg("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
        inside.args(words);
        Ok(inside)
    };
    fs::copy(package, tree.join("papan.deb"))?;
    let before = files(&tree)?;
    run(inside(&["dpkg", "--install", "/papan.deb"])?)?;
    checked(inside(&["papan", "--version"])?)?;
    let words: Vec<&str> = TRIAL.0.split(' ').collect();
    let proof = checked(inside(&[&["papan"], &words[..]].concat())?)?;
    ensure!(proof.contains(TRIAL.1), "{proof}");
    let faster = tree.join("usr/lib/papan").join(trial::FASTER);
    trial::choice(&faster, || checked(inside(&["papan", "--version"])?))?;
    let user = checked(inside(&["getent", "passwd", "papan"])?)?;
    ensure!(user.contains(":/var/lib/papan:"), "{user}");
    if exists("systemd-analyze") {
        // The tree has no systemd, so the units are verified with that of this machine.
        let program = tree.join("usr/bin/papan").display().to_string();
        for unit in deploy::UNITS {
            let text = fs::read_to_string(tree.join("usr/lib/systemd/system").join(unit))?;
            ensure!(text.contains("ExecStart=/usr/bin/papan "), "{unit}: {text}");
            let text = text.replace("/usr/bin/papan", &program);
            deploy::verify(unit, &text, folder.path())?;
        }
    }
    // What systemd makes of `StateDirectory` for a dynamic user, and for another one.
    let data = tree.join("var/lib/private/papan");
    fs::create_dir_all(&data)?;
    fs::write(data.join("papan.db"), "games")?;
    run(inside(&["ln", "-s", "private/papan", "/var/lib/papan"])?)?;
    run(inside(&["dpkg", "--remove", "papan"])?)?;
    ensure!(data.join("papan.db").is_file(), "removal keeps the games");
    run(inside(&["dpkg", "--purge", "papan"])?)?;
    let is_of_system = |file: &PathBuf| OF_SYSTEM.iter().any(|known| file.starts_with(known));
    let mut left = files(&tree)?;
    left.retain(|file| !before.contains(file) && !is_of_system(file));
    ensure!(left.is_empty(), "the package leaves {left:?}");
    println!("\n== Debian: installed, run, verified and removed");
    Ok(())
}

/// Files of dpkg and of the user database, which an installation changes.
const OF_SYSTEM: [&str; 9] = [
    "etc/.pwd.lock",
    "etc/group-",
    "etc/gshadow-",
    "etc/passwd-",
    "etc/shadow-",
    "etc/subgid-",
    "etc/subuid-",
    "var/lib/dpkg",
    "var/log/dpkg.log",
];

/// Where the keys of Debian's archive are. A system of Ubuntu needs them for a tree of Debian.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Unpacks a minimal Debian system.
fn unpack_tree(tree: &Path) -> anyhow::Result<()> {
    let archive = cache("debian-tree")?.join("bookworm.tar");
    if !archive.is_file() {
        fs::create_dir_all(archive.parent().context("a file of the cache")?)?;
        make_tree(&archive).map_err(|why| Skipped(format!("no Debian tree: {why:#}")))?;
    }
    fs::create_dir_all(tree)?;
    let mut unpack = command("tar", &["--extract", "--exclude=./dev/*", "--file"]);
    unpack.arg(&archive).arg("--directory").arg(tree);
    checked(unpack)?;
    // Maintainer scripts write there; it stays an ordinary file.
    fs::write(tree.join("dev/null"), "")?;
    Ok(())
}

/// Makes the archive of the tree from Debian's packages.
fn make_tree(archive: &Path) -> anyhow::Result<()> {
    let needed = [
        ("mmdebstrap", exists("mmdebstrap")),
        ("debian-archive-keyring", Path::new(KEYS).is_file()),
    ];
    let missing = needed.iter().filter(|(_, is_there)| !is_there);
    packages::install(&missing.map(|(name, _)| *name).collect::<Vec<_>>())?;
    let made = archive.with_extension("new.tar");
    let essential = ["--variant=essential", "--include=passwd", "bookworm"];
    let mut make = command("mmdebstrap", &essential);
    make.arg(&made);
    run(make)?;
    fs::rename(&made, archive)?;
    Ok(())
}

/// Returns the paths of all files, relative to the tree.
fn files(tree: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let listed = checked({
        let mut find = command("find", &[".", "-not", "-type", "d"]);
        find.current_dir(tree);
        find
    })?;
    let path = |line: &str| PathBuf::from(line.trim_start_matches("./"));
    Ok(listed.lines().map(path).collect())
}
