//! `cargo xtask fuzz`: runs the fuzz targets of `fuzz/` under libFuzzer, on the stable toolchain.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::command::{self, cargo, command, root};

const USAGE: &str = "\
Usage: cargo xtask fuzz [minimize] [TARGET...] [seconds=60] [runs=N]

Fuzz each target for a number of seconds or of executions [default: all targets, 60 s]; with both
limits the first that is reached counts. The corpus is kept in target/fuzz/TARGET. An input that
makes a target fail is written to target/fuzz/broken-TARGET-...

With minimize, the smallest set of short inputs of that corpus which reaches the same code is
written to fuzz/seeds/TARGET.txt, where tests and later runs begin.";

/// Longest input of the corpus in the repository, in bytes.
const MAX_SEED: usize = 400;

/// The flags of cargo-fuzz without the sanitizers, which require a nightly toolchain.
const FLAGS: &str = "--cfg fuzzing -C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
    -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares \
    -C debug-assertions -C codegen-units=1";

pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let mut args = args.peekable();
    let is_minimizing = args.next_if(|arg| arg == "minimize").is_some();
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
    seeds(&["write", &folder])?;
    let known = targets(&corpora)?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!(
            "unknown target {unknown}; expected one of {}",
            known.join(", ")
        );
    }
    let program = build()?;
    for name in if names.is_empty() { &known } else { &names } {
        if is_minimizing {
            minimize(&program, &corpora, name)?;
        } else {
            fuzz(&program, &corpora, name, &limits)?;
        }
    }
    Ok(())
}

/// Runs the program that converts the corpora.
fn seeds(args: &[&str]) -> Result<()> {
    let program = ["run", "-q", "-p", "papan-fuzz", "--bin", "seeds", "--"];
    cargo(&[&program, args].concat())
}

fn parse(number: &str) -> Result<u32> {
    number.parse().context(USAGE)
}

/// Lists the targets, each of which has a corpus directory.
fn targets(corpora: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(corpora)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && !name.starts_with(MINIMIZED) {
            names.push(name);
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
    build
        .env("RUSTFLAGS", FLAGS)
        // Link-time optimisation takes as long as the rest of the build.
        .env("CARGO_PROFILE_RELEASE_LTO", "off");
    command::run(build)?;
    let program = folder.join(host).join("release/papan-fuzz");
    Ok(program.display().to_string())
}

/// Prefix of the directories with minimized corpora.
const MINIMIZED: &str = "minimized-";

/// Writes a minimal corpus to the repository.
fn minimize(program: &str, corpora: &Path, name: &str) -> Result<()> {
    let minimized = corpora.join(format!("{MINIMIZED}{name}"));
    if minimized.exists() {
        std::fs::remove_dir_all(&minimized)?;
    }
    std::fs::create_dir(&minimized)?;
    let [from, to] = [&corpora.join(name), &minimized].map(|path| path.display().to_string());
    let length = format!("-max_len={MAX_SEED}");
    let mut merge = command(program, &["-set_cover_merge=1", &length, &to, &from]);
    merge.env("PAPAN_FUZZ", name);
    command::run(merge)?;
    seeds(&["collect", name, &to])
}

fn fuzz(program: &str, corpora: &Path, name: &str, limits: &[String]) -> Result<()> {
    let broken = corpora.join(format!("broken-{name}-"));
    let corpus = corpora.join(name).display().to_string();
    let mut fuzz = command(program, &[&corpus]);
    fuzz.args(limits)
        .arg(format!("-artifact_prefix={}", broken.display()))
        .args(["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=512"])
        .env("PAPAN_FUZZ", name);
    // Journals sync their file: a million times, unless it is in memory.
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        fuzz.env("TMPDIR", memory);
    }
    command::run(fuzz)
}
