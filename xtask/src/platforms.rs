//! `cargo xtask test --platforms`: papan on systems that this machine is not: Windows under wine,
//! ARM under qemu, Linux without any library, Debian with the package installed.
//!
//! Everything is built with the dev profile. Where a compiler or an emulator cannot be installed,
//! its platform is skipped with a line that says so.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::command::{command, debug_binary, root, run, succeeds};
use crate::cross::{ARM, Cross, STATIC, WINDOWS, prepare_wine};
use crate::dist::debian;

/// Commands whose output is the same on every platform, except for times.
const SAME_EVERYWHERE: [&[&str]; 7] = [
    &["bench", "othello", "--perft", "8", "--json"],
    &["perft", "othello", "7", "--json"],
    &["count", "tictactoe", "--json"],
    &["solve", "tictactoe:4x4x4", "--json"],
    &["solve", "othello:4x4", "--json"],
    &[
        "prove",
        "tictactoe",
        "branch-and-bound",
        "--as",
        "second",
        "--json",
    ],
    &[
        "explain",
        "tictactoe:7x7:5",
        "--strategy",
        "engine(nodes=2000)",
        "--json",
    ],
];

/// Fields that are not compared.
const VARYING: [&str; 5] = ["code", "seconds", "user_seconds", "wall_seconds", "nps"];

pub(crate) fn test() -> anyhow::Result<()> {
    let here = debug_binary()?;
    windows(&here)?;
    arm(&here)?;
    empty_root()?;
    Ok(())
}

/// The scenarios of `crates/cli/tests/platforms.rs` and the tests of papan-os, under wine.
fn windows(here: &str) -> anyhow::Result<()> {
    if !WINDOWS.can_build() {
        return Ok(());
    }
    if !WINDOWS.can_run() {
        return run(WINDOWS.cargo(&["build", "-p", "papan"])?);
    }
    prepare_wine()?;
    let tests = ["test", "-p", "papan-os", "-p", "papan", "--test", "system"];
    run(WINDOWS.cargo(&[&tests[..], &["--test", "platforms"]].concat())?)?;
    interrupt_server()?;
    compare(&WINDOWS, here)
}

/// Serves a page over loopback and stops the server by Ctrl-C, which wine makes of SIGINT.
fn interrupt_server() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().display().to_string();
    let program = WINDOWS.program("debug").display().to_string();
    let words = ["serve", "--listen", "127.0.0.1:0", "--data", &data];
    let mut serve = WINDOWS.command(&program, &words)?;
    let mut server = serve.stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    let mut output = BufReader::new(server.stdout.take().context("standard output is piped")?);
    output.read_line(&mut line)?;
    let address = line.split("http://").nth(1);
    let address = address.and_then(|rest| rest.split('/').next());
    let mut page = String::new();
    let mut stream = TcpStream::connect(address.context("the server prints its address")?)?;
    stream.write_all(b"GET / HTTP/1.0\r\nhost: localhost\r\n\r\n")?;
    stream.read_to_string(&mut page)?;
    ensure!(page.contains("<!doctype html>"), "{page}");
    let process = server.id().to_string();
    run(command("kill", &["-INT", &process]))?;
    let status = server.wait()?;
    ensure!(status.success(), "the server ended with {status}");
    Ok(())
}

fn arm(here: &str) -> anyhow::Result<()> {
    if !ARM.can_build() {
        return Ok(());
    }
    run(ARM.cargo(&["build", "-p", "papan"])?)?;
    if !ARM.can_run() {
        return Ok(());
    }
    compare(&ARM, here)
}

/// Compares outputs of the build for this machine with those of another one.
fn compare(cross: &Cross, here: &str) -> anyhow::Result<()> {
    let there = cross.program("debug").display().to_string();
    for words in SAME_EVERYWHERE {
        let expected = answer(command(here, words))?;
        let found = answer(cross.command(&there, words)?)?;
        ensure!(
            found == expected,
            "papan {} on {}:\n{found:#}\nhere:\n{expected:#}",
            words.join(" "),
            cross.platform
        );
    }
    println!(
        "\n== {}: {} answers are the same",
        cross.platform,
        SAME_EVERYWHERE.len()
    );
    let folder = root().join("data/certificates");
    let mut checked = 0;
    for file in std::fs::read_dir(&folder)? {
        let path = file?.path();
        // Large ones take long under an emulator.
        if path.metadata()?.len() > 50_000 {
            continue;
        }
        let path = path.display().to_string();
        let check = cross.command(&there, &["check", &path])?;
        ensure!(succeeds(check), "{path} is refused on {}", cross.platform);
        checked += 1;
    }
    println!("== {}: {checked} certificates checked", cross.platform);
    Ok(())
}

/// Returns the JSON output of a command, without times.
fn answer(mut command: Command) -> anyhow::Result<Value> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let mut answer = serde_json::from_slice(&output.stdout).with_context(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("{command:?}: {} {errors}", output.status)
    })?;
    remove_varying(&mut answer);
    Ok(answer)
}

fn remove_varying(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VARYING.contains(&name.as_str()));
            fields.values_mut().for_each(remove_varying);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_varying),
        _ => {}
    }
}

/// Runs the static binary in a root directory that contains nothing else, and installs, runs and
/// removes the Debian package in a Debian tree.
fn empty_root() -> anyhow::Result<()> {
    if !STATIC.can_build() {
        return Ok(());
    }
    run(STATIC.cargo(&["build", "-p", "papan"])?)?;
    let program = STATIC.program("debug");
    let folder = tempfile::tempdir()?;
    std::fs::copy(&program, folder.path().join("papan"))?;
    for words in [
        &["--version"][..],
        &["solve", "tictactoe:4x4x4"],
        &["prove", "tictactoe", "minimax", "--as", "second"],
        &["bench", "othello", "--perft", "6"],
    ] {
        let Some(mut inside) = change_root(folder.path()) else {
            println!("\n== skipping the empty root: neither root nor user namespaces");
            break;
        };
        inside.arg("/papan").args(words);
        run(inside)?;
    }
    debian::test(&program)
}

/// Returns a command that runs another one with this root directory, if that is permitted.
pub(crate) fn change_root(folder: &Path) -> Option<Command> {
    let folder = folder.display().to_string();
    let ways: [&[&str]; 2] = [&["chroot"], &["unshare", "--map-root-user", "--root"]];
    ways.into_iter().find_map(|way| {
        // A root without programs can be entered if the error is that of the program.
        let words = [way, &[&folder, "/no/such/program"]].concat();
        let tried = command(words[0], &words[1..]).output().ok()?;
        let errors = String::from_utf8_lossy(&tried.stderr).into_owned();
        let entered = tried.status.code() == Some(127) && errors.contains("/no/such/program");
        let mut inside = command(way[0], &way[1..]);
        inside.arg(&folder);
        entered.then_some(inside)
    })
}

/// Paths that matter to the platforms.
const RELEVANT: [&str; 14] = [
    "Cargo.toml",
    ".cargo/",
    "crates/cli/build.rs",
    "crates/cli/src/main.rs",
    "crates/cli/tests/platforms.rs",
    "crates/files/src/write_atomic.rs",
    "crates/os/",
    "crates/othello/src/simd/",
    "crates/protocol/src/process/",
    "crates/store/src/sqlite/",
    "crates/terminal/src/terminal.rs",
    "deploy/",
    "xtask/src/dist/",
    "xtask/src/platforms.rs",
];

/// Runs the tests of the platforms if files that matter to them differ from the main branch, or from
/// the last commit on it.
pub(crate) fn test_if_changed() -> anyhow::Result<()> {
    let Some(changed) = changed_files() else {
        println!("\n== skipping the platforms: git cannot tell what changed");
        return Ok(());
    };
    let matters = |file: &&String| RELEVANT.iter().any(|path| file.starts_with(path));
    match changed.iter().find(matters) {
        Some(file) => {
            println!("\n== platforms: {file} changed");
            test()
        }
        None => {
            println!("\n== skipping the platforms: nothing that matters to them changed");
            Ok(())
        }
    }
}

fn changed_files() -> Option<Vec<String>> {
    let git = |args: &[&str]| {
        let output = command("git", args).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    };
    let head = git(&["rev-parse", "HEAD"])?;
    let bases = ["origin/main", "main", "HEAD~1"];
    let base = bases.iter().find_map(|base| {
        let base = git(&["merge-base", base, "HEAD"])?;
        (base != head).then(|| base.trim().to_owned())
    })?;
    let changed = git(&["diff", "--name-only", &base])?;
    Some(changed.lines().map(str::to_owned).collect())
}

/// Fails with the output of a command that does not succeed.
pub(crate) fn checked(mut command: Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if !output.status.success() {
        bail!("{command:?}: {}\n{text}", output.status);
    }
    Ok(text)
}
