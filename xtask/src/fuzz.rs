//! `cargo xtask fuzz`: runs the fuzz targets of `fuzz/` under libFuzzer, on the stable toolchain.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::command::{self, cargo, command, root};

const USAGE: &str = "\
Usage: cargo xtask fuzz [TARGET...] [seconds=60]

Fuzz each target for a number of seconds [default: all targets, 60 s]. The corpus is kept in
target/fuzz/TARGET. An input that makes a target fail is written to target/fuzz/broken-TARGET-...";

/// The flags of cargo-fuzz without the sanitizers, which require a nightly toolchain.
const FLAGS: &str = "--cfg fuzzing -C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
    -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares \
    -C debug-assertions -C codegen-units=1";

pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let mut seconds = String::from("60");
    let mut names = Vec::new();
    for arg in args {
        match arg.strip_prefix("seconds=") {
            Some(number) => seconds = number.into(),
            None if arg.starts_with('-') => bail!("{USAGE}"),
            None => names.push(arg),
        }
    }
    seconds.parse::<u32>().context(USAGE)?;
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
        fuzz(&program, &corpora, name, &seconds)?;
    }
    Ok(())
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

fn fuzz(program: &str, corpora: &Path, name: &str, seconds: &str) -> Result<()> {
    let broken = corpora.join(format!("broken-{name}-"));
    let corpus = corpora.join(name).display().to_string();
    let mut fuzz = command(program, &[&corpus]);
    fuzz.arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}", broken.display()))
        .args(["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=512"])
        .env("PAPAN_FUZZ", name);
    command::run(fuzz)
}
