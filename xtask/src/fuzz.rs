//! `cargo xtask fuzz`: runs the fuzz targets of `fuzz/` under libFuzzer, on the stable toolchain.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::command::{self, cargo, command, root};

const USAGE: &str = "\
Usage: cargo xtask fuzz [TARGET...] [seconds=60] [runs=N]

Fuzz each target for a number of seconds or of executions [default: all targets, 60 s]. The corpus
is kept in target/fuzz/TARGET. An input that makes a target fail is written to
target/fuzz/broken-TARGET-...";

/// The flags of cargo-fuzz without the sanitizers, which require a nightly toolchain.
const FLAGS: &str = "--cfg fuzzing -C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
    -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares \
    -C debug-assertions -C codegen-units=1";

pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let mut limits = Vec::new();
    let mut names = Vec::new();
    for arg in args {
        match arg.split_once('=') {
            Some(("seconds", number)) => {
                limits.push(format!("-max_total_time={}", parse(number)?));
            }
            Some(("runs", number)) => limits.push(format!("-runs={}", parse(number)?)),
            None if !arg.starts_with('-') => names.push(arg),
            _ => bail!("{USAGE}"),
        }
    }
    if limits.is_empty() {
        limits.push("-max_total_time=60".into());
    }
    let corpora = root().join("target/fuzz");
    let folder = corpora.display().to_string();
    cargo(&["run", "-q", "-p", "papan-fuzz", "--bin", "seeds", &folder])?;
    let known = targets(&corpora)?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!(
            "unknown target {unknown}; expected one of {}",
            known.join(", ")
        );
    }
    let program = build()?;
    for name in if names.is_empty() { &known } else { &names } {
        fuzz(&program, &corpora, name, &limits)?;
    }
    Ok(())
}

fn parse(number: &str) -> Result<u32> {
    number.parse().context(USAGE)
}

/// Lists the targets, each of which has a corpus directory.
fn targets(corpora: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(corpora)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Builds the program. `--target` keeps the flags from being applied to build scripts.
fn build() -> Result<String> {
    let version = String::from_utf8(command("rustc", &["-vV"]).output()?.stdout)?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("no host in the output of rustc -vV")?;
    let folder = root().join("target/fuzz-build");
    let mut build = command(
        "cargo",
        &["build", "--release", "--target", host, "-p", "papan-fuzz"],
    );
    build
        .args([
            "--bin",
            "papan-fuzz",
            "--features",
            "libfuzzer",
            "--target-dir",
        ])
        .arg(&folder);
    build.env("RUSTFLAGS", FLAGS);
    command::run(build)?;
    let program = folder.join(host).join("release/papan-fuzz");
    Ok(program.display().to_string())
}

fn fuzz(program: &str, corpora: &Path, name: &str, limits: &[String]) -> Result<()> {
    let broken = corpora.join(format!("broken-{name}-"));
    let corpus = corpora.join(name).display().to_string();
    let mut fuzz = command(program, &[&corpus]);
    fuzz.args(limits)
        .arg(format!("-artifact_prefix={}", broken.display()))
        .args(["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=512"])
        .env("PAPAN_FUZZ", name);
    command::run(fuzz)
}
