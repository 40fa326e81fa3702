//! `cargo xtask test --platforms`: papan on systems that this machine is not: Windows under wine,
//! ARM under qemu, Linux without any library, Debian with the package installed, crates as they are
//! published.
//!
//! Everything is built with the dev profile. Each platform is tested by a process of its own, so that
//! all are tested where one fails, and a deadline ends whatever one of them started.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::command::{SKIPPED, Skipped, command, debug_binary, root, run, succeeds, within};
use crate::cross::{ARM, Cross, STATIC, WINDOWS, prepare_wine, stop_wine};
use crate::dist::debian;
use crate::publish;

/// Tests one platform.
type Test = fn() -> anyhow::Result<()>;

/// The platforms by the names that `--platforms` takes, the cheaper ones first.
const PLATFORMS: [(&str, Test); 5] = [
    ("static", empty_root),
    ("debian", debian_package),
    ("windows", windows),
    ("arm", arm),
    ("crates", crates),
];

/// Exit code of `timeout` when the time is up.
const TIMED_OUT: i32 = 124;

/// Commands whose output is the same on every platform, except for times.
const SAME_EVERYWHERE: [&[&str]; 7] = [
    &["bench", "othello", "--perft", "8", "--json"],
    &["perft", "othello", "7"],
    &["count", "tictactoe", "--json"],
    &["solve", "tictactoe:4x4", "--json"],
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
const VARYING: [&str; 6] = [
    "code",
    "seconds",
    "user_seconds",
    "wall_seconds",
    "nps",
    "nodes_per_second",
];

/// An option after which a platform that is skipped fails, for machines that can test all.
const STRICT: &str = "--strict";

/// Tests the platforms with these names, or all.
pub(crate) fn test(words: &[String]) -> anyhow::Result<()> {
    let (options, names): (Vec<String>, Vec<String>) =
        words.iter().cloned().partition(|word| word == STRICT);
    if let ([], [name]) = (&options[..], &names[..]) {
        return find(name)?();
    }
    for name in &names {
        find(name)?;
    }
    let outcome = test_each(&names, None)?;
    ensure!(
        options.is_empty() || outcome.is_complete(),
        "platforms not tested: {}",
        outcome.not_tested().join(", ")
    );
    Ok(())
}

/// Platforms that were not tested, or not to the end. All others passed.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    skipped: Vec<&'static str>,
    not_done: Vec<&'static str>,
}

impl Outcome {
    /// Returns whether all platforms were tested.
    pub(crate) const fn is_complete(&self) -> bool {
        self.skipped.is_empty() && self.not_done.is_empty()
    }

    /// Returns the names of the platforms that were not tested.
    pub(crate) fn not_tested(&self) -> Vec<&'static str> {
        [&self.skipped[..], &self.not_done].concat()
    }
}

fn find(name: &str) -> anyhow::Result<Test> {
    let found = PLATFORMS.iter().find(|(known, _)| *known == name);
    let names = PLATFORMS.map(|(known, _)| known).join(", ");
    let (_, test) = found.with_context(|| format!("no platform `{name}`; there are {names}"))?;
    Ok(*test)
}

/// Tests platforms, all if none is named, each in a process of its own. Those that are not done at the
/// deadline are ended and reported. Fails if one failed.
pub(crate) fn test_each(names: &[String], deadline: Option<Instant>) -> anyhow::Result<Outcome> {
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let myself = std::env::current_exe()?.display().to_string();
    let mut report = Vec::new();
    for (name, _) in PLATFORMS.iter().filter(|(name, _)| is_wanted(name)) {
        let started = Instant::now();
        let mut test = command(&myself, &["test", "--platforms", name]);
        if let Some(deadline) = deadline {
            test = within(&test, deadline);
        }
        let code = test.status().with_context(|| format!("{test:?}"))?.code();
        let result = match code {
            Some(0) => "passed",
            Some(code) if code == i32::from(SKIPPED) => "skipped",
            Some(TIMED_OUT) if deadline.is_some() => {
                stop_wine()?;
                "not done in time"
            }
            _ => "FAILED",
        };
        report.push((*name, result, started.elapsed()));
    }
    println!("\n== platforms:");
    for (name, result, time) in &report {
        println!("   {name:8} {result} ({:.0} s)", time.as_secs_f64());
    }
    let all = |wanted: &str| -> Vec<&'static str> {
        let these = report.iter().filter(|(_, result, _)| *result == wanted);
        these.map(|(name, ..)| *name).collect()
    };
    let failed = all("FAILED");
    ensure!(failed.is_empty(), "platforms failed: {}", failed.join(", "));
    Ok(Outcome {
        skipped: all("skipped"),
        not_done: all("not done in time"),
    })
}

/// The scenarios of `crates/cli/tests/platforms.rs` and the tests of papan-os, under wine.
fn windows() -> anyhow::Result<()> {
    WINDOWS.install_compiler()?;
    // One command, so that both packages use dependencies with the same features.
    let packages = ["test", "-p", "papan", "-p", "papan-os"];
    let targets = ["--lib", "--test", "platforms", "--test", "system"];
    let tests = [&packages[..], &targets].concat();
    run(WINDOWS.cargo(&[&tests[..], &["--no-run"]].concat())?)?;
    WINDOWS.install_emulator()?;
    prepare_wine()?;
    run(WINDOWS.cargo(&tests)?)?;
    interrupt_server()?;
    compare(&WINDOWS)?;
    stop_wine()
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

fn arm() -> anyhow::Result<()> {
    ARM.install_compiler()?;
    run(ARM.cargo(&["build", "-p", "papan"])?)?;
    ARM.install_emulator()?;
    compare(&ARM)
}

fn crates() -> anyhow::Result<()> {
    publish::check(publish::Depth::Compile)
}

/// Compares outputs of the build for this machine with those of another one.
fn compare(cross: &Cross) -> anyhow::Result<()> {
    let here = &debug_binary()?;
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

/// Builds the static program and returns its path.
fn static_program() -> anyhow::Result<PathBuf> {
    STATIC.install_compiler()?;
    run(STATIC.cargo(&["build", "-p", "papan"])?)?;
    Ok(STATIC.program("debug"))
}

/// Runs the static program in a root directory that contains nothing else.
fn empty_root() -> anyhow::Result<()> {
    let program = static_program()?;
    let folder = tempfile::tempdir()?;
    std::fs::copy(&program, folder.path().join("papan"))?;
    for words in [
        &["--version"][..],
        &["solve", "tictactoe:4x4:3"],
        &["prove", "tictactoe", "minimax", "--as", "second"],
        &["bench", "othello", "--perft", "6"],
    ] {
        let mut inside = change_root(folder.path())?;
        inside.arg("/papan").args(words);
        run(inside)?;
    }
    Ok(())
}

/// Installs, runs and removes the Debian package in a Debian tree.
fn debian_package() -> anyhow::Result<()> {
    debian::test(&static_program()?)
}

/// Returns a command that runs another one with this root directory.
pub(crate) fn change_root(folder: &Path) -> anyhow::Result<Command> {
    let folder = folder.display().to_string();
    let ways: [&[&str]; 2] = [&["chroot"], &["unshare", "--map-root-user", "--root"]];
    let found = ways.into_iter().find_map(|way| {
        // A root without programs can be entered if the error is that of the program.
        let words = [way, &[&folder, "/no/such/program"]].concat();
        let tried = command(words[0], &words[1..]).output().ok()?;
        let errors = String::from_utf8_lossy(&tried.stderr).into_owned();
        let entered = tried.status.code() == Some(127) && errors.contains("/no/such/program");
        let mut inside = command(way[0], &way[1..]);
        inside.arg(&folder);
        entered.then_some(inside)
    });
    found.ok_or_else(|| Skipped("chroot is not permitted".into()).into())
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
