//! `cargo xtask test --platforms`: papan on systems that this machine is not: Windows under wine,
//! ARM under qemu, Linux without any library, Debian with the package installed, crates as they are
//! published.
//!
//! Everything is built with the dev profile. Where a compiler or an emulator cannot be installed, or
//! the time is up, a platform is skipped with a line that says so.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::command::{command, debug_binary, root, run, run_until, succeeds};
use crate::cross::{ARM, Cross, STATIC, WINDOWS, prepare_wine};
use crate::dist::debian;
use crate::publish;

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
        // Neither solved nor an opening, so that the engine searches.
        "explain",
        "tictactoe:15x15:5",
        "--moves",
        "113 114 128",
        "--strategy",
        "engine(nodes=2000)",
        "--json",
    ],
];

/// Fields that are not compared.
const VARYING: [&str; 5] = ["code", "seconds", "user_seconds", "wall_seconds", "nps"];

/// Tests all platforms; those whose builds are not done at the deadline are skipped. Returns whether
/// that was in time.
pub(crate) fn test(deadline: Option<Instant>) -> anyhow::Result<bool> {
    let here = debug_binary()?;
    windows(&here, deadline)?;
    empty_root(deadline)?;
    arm(&here, deadline)?;
    if !publish::check(publish::Depth::Compile, deadline)? {
        println!("\n== skipping the crates: the time is up");
    }
    Ok(deadline.is_none_or(|deadline| Instant::now() < deadline))
}

/// Builds papan for a platform. Returns whether it was possible, and says why not.
fn build(cross: &Cross, what: &[&str], deadline: Option<Instant>) -> anyhow::Result<bool> {
    if !cross.can_build() {
        return Ok(false);
    }
    let is_built = run_until(cross.cargo(what)?, deadline)?;
    if !is_built {
        println!("\n== skipping {}: the time is up", cross.platform);
    }
    Ok(is_built)
}

/// The scenarios of `crates/cli/tests/platforms.rs` and the tests of papan-os, under wine.
fn windows(here: &str, deadline: Option<Instant>) -> anyhow::Result<()> {
    let tests = ["test", "-p", "papan", "--test", "platforms"];
    if !build(&WINDOWS, &[&tests[..], &["--no-run"]].concat(), deadline)? || !WINDOWS.can_run() {
        return Ok(());
    }
    prepare_wine()?;
    run(WINDOWS.cargo(&["test", "-p", "papan-os"])?)?;
    run(WINDOWS.cargo(&tests)?)?;
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

fn arm(here: &str, deadline: Option<Instant>) -> anyhow::Result<()> {
    if !build(&ARM, &["build", "-p", "papan"], deadline)? || !ARM.can_run() {
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
    same_certificates(cross, here, &there)
}

/// Compares certificates written here and there, byte by byte.
fn same_certificates(cross: &Cross, here: &str, there: &str) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    for game in ["tictactoe:4x4:3", "tictactoe:4x6", "tictactoe:5x6:4"] {
        let [ours, theirs] = ["here", "there"].map(|name| folder.path().join(name));
        for (path, is_here) in [(&ours, true), (&theirs, false)] {
            let path = path.display().to_string();
            let solve = ["solve", game, "--certificate", &path];
            checked(if is_here {
                command(here, &solve)
            } else {
                cross.command(there, &solve)?
            })?;
        }
        ensure!(
            std::fs::read(&ours)? == std::fs::read(&theirs)?,
            "the certificate of {game} differs on {}",
            cross.platform
        );
    }
    println!("== {}: certificates are written alike", cross.platform);
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
fn empty_root(deadline: Option<Instant>) -> anyhow::Result<()> {
    if !build(&STATIC, &["build", "-p", "papan"], deadline)? {
        return Ok(());
    }
    let program = STATIC.program("debug");
    let folder = tempfile::tempdir()?;
    std::fs::copy(&program, folder.path().join("papan"))?;
    if change_root(folder.path()).is_none() {
        println!("\n== skipping the empty root and the Debian package: chroot is not permitted");
        return Ok(());
    }
    for words in [
        &["--version"][..],
        &["solve", "tictactoe:4x4:3"],
        &["prove", "tictactoe", "minimax", "--as", "second"],
        &["bench", "othello", "--perft", "6"],
    ] {
        let mut inside = change_root(folder.path()).context("chroot was permitted before")?;
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
