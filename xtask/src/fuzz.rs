//! `cargo xtask fuzz`: every reader under libFuzzer, on the stable toolchain.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::command::{cargo, command, root, run};

const USAGE: &str = "\
cargo xtask fuzz [TARGET…] [seconds=60]

Lets libFuzzer try each target (all of them without a name) for so many seconds.
What it learned stays in target/fuzz/TARGET; what breaks a reader is written to
target/fuzz/broken-… and makes the command fail.";

/// What cargo-fuzz asks of rustc, less the sanitizers, which need nightly.
const FLAGS: &str = "--cfg fuzzing -C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
    -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares \
    -C debug-assertions -C codegen-units=1";

pub(crate) fn start(words: impl Iterator<Item = String>) -> Result<()> {
    let mut seconds = String::from("60");
    let mut names = Vec::new();
    for word in words {
        match word.strip_prefix("seconds=") {
            Some(number) => seconds = number.into(),
            None if word.starts_with('-') => bail!("{USAGE}"),
            None => names.push(word),
        }
    }
    seconds.parse::<u32>().context(USAGE)?;
    let corpora = root().join("target/fuzz");
    let folder = corpora.display().to_string();
    cargo(&["run", "-q", "-p", "papan-fuzz", "--bin", "seeds", &folder])?;
    let known = targets(&corpora)?;
    if let Some(other) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no target {other}; there are {}", known.join(", "));
    }
    let program = build()?;
    for name in if names.is_empty() { &known } else { &names } {
        fuzz(&program, &corpora, name, &seconds)?;
    }
    Ok(())
}

/// Every target has a folder of examples.
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

/// Builds the program. With a target named, the flags leave build scripts alone.
fn build() -> Result<String> {
    let version = command("rustc", &["-vV"]).output()?.stdout;
    let version = String::from_utf8(version)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc -vV names its host")?;
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
    run(build)?;
    let program = folder.join(host).join("release/papan-fuzz");
    Ok(program.display().to_string())
}

fn fuzz(program: &str, corpora: &Path, name: &str, seconds: &str) -> Result<()> {
    let broken = corpora.join(format!("broken-{name}-"));
    let corpus = corpora.join(name).display().to_string();
    let mut fuzz = command(program, &[&corpus]);
    fuzz.arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}", broken.display()))
        // A reader that takes ten seconds or half a gigabyte is broken.
        .args(["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=512"])
        .env("PAPAN_FUZZ", name);
    run(fuzz)
}
