//! Sets `PAPAN_BUILD` to `, commit HASH` for `papan --version`, or to nothing where the commit is
//! unknown: from the variable `PAPAN_COMMIT`, from the file that `cargo package` adds, or from git.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=PAPAN_COMMIT");
    let commit = std::env::var("PAPAN_COMMIT").ok();
    let commit = commit.or_else(packaged).or_else(checked_out);
    let build = match commit.as_deref().map(str::trim) {
        Some(commit) if !commit.is_empty() => {
            let short: String = commit.chars().take(9).collect();
            format!(", commit {short}")
        }
        _ => String::new(),
    };
    println!("cargo::rustc-env=PAPAN_BUILD={build}");
}

/// The commit of a package from a registry.
fn packaged() -> Option<String> {
    let file = ".cargo_vcs_info.json";
    let text = std::fs::read_to_string(file).ok()?;
    println!("cargo::rerun-if-changed={file}");
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_owned)
}

/// The commit of a clone.
fn checked_out() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A package in another repository, such as a vendored one, is not of its commits.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if std::path::Path::new(&log).is_file() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "HEAD"])
}
