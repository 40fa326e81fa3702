//! `cargo xtask test --changed-platforms`: the platforms, if files that matter to them changed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::command::{command, target};
use crate::platforms;

/// Paths that matter to the platforms: what differs between systems, what they compare bit by bit, and
/// what tests them.
const RELEVANT: [&str; 31] = [
    "Cargo.lock",
    "Cargo.toml",
    ".cargo/",
    "crates/cli/build.rs",
    "crates/cli/src/main.rs",
    "crates/cli/tests/machines/",
    "crates/cli/tests/platforms.rs",
    "crates/cli/tests/shell/",
    "crates/files/src/write_atomic.rs",
    "crates/jobs/build.rs",
    "crates/mnk/src/",
    "crates/os/",
    "crates/othello/src/",
    "crates/protocol/src/piskvork/",
    "crates/protocol/src/process/",
    "crates/rules/src/",
    "crates/store/src/sqlite/",
    "crates/terminal/src/terminal.rs",
    "data/",
    "deploy/",
    "xtask/src/changes.rs",
    "xtask/src/command.rs",
    "xtask/src/cross.rs",
    "xtask/src/deploy.rs",
    "xtask/src/dist/",
    "xtask/src/packages.rs",
    "xtask/src/platforms.rs",
    "xtask/src/publish.rs",
    "xtask/src/python.rs",
    "xtask/src/targets.rs",
    "xtask/wine/",
];

/// Returns whether a changed file matters to the platforms. All manifests do: the features of
/// dependencies are in them.
fn matters(file: &str) -> bool {
    let is_manifest = file.starts_with("crates/") && file.ends_with("/Cargo.toml");
    is_manifest || RELEVANT.iter().any(|path| file.starts_with(path))
}

/// Time for all platforms. With the tests before, which take half an hour, that is less than the 90
/// minutes that a run of `.ci/run` may last. A platform that is not done by then is ended and reported.
/// The result is then that of the tests alone, and the next run starts with the platforms again.
const TIME: Duration = Duration::from_mins(40);

/// Commits to look back where neither a passed commit nor a main branch is known.
const COMMITS: &str = "--max-count=20";

/// Tests the platforms if files that matter to them changed since the last commit that passed, since
/// the main branch, or in the last commits.
pub(crate) fn test() -> anyhow::Result<()> {
    let Some((base, changed)) = changed_files() else {
        println!("\n== skipping the platforms: git cannot tell what changed");
        return Ok(());
    };
    let Some(file) = changed.iter().find(|file| matters(file)) else {
        println!("\n== skipping the platforms: nothing that matters to them changed since {base}");
        return Ok(());
    };
    println!("\n== platforms: {file} changed since {base}");
    let outcome = platforms::test_each(&[], Some(Instant::now() + TIME))?;
    if !outcome.is_complete() {
        let names = outcome.not_tested().join(" ");
        println!(
            "\n== NOT TESTED: {names}\n   The next run tries again; \
             `cargo xtask test --platforms {names}` does so without a limit of time."
        );
        return Ok(());
    }
    let is_committed = git(&["status", "--porcelain"]).is_some_and(|text| text.is_empty());
    if let (true, Some(head)) = (is_committed, git(&["rev-parse", "HEAD"])) {
        std::fs::write(passed(), head)?;
    }
    Ok(())
}

/// The file with the last commit whose platforms passed.
fn passed() -> PathBuf {
    target().join("platforms-passed")
}

/// Returns the commit that the working tree is compared with, and the files that differ.
fn changed_files() -> Option<(String, Vec<String>)> {
    let head = git(&["rev-parse", "HEAD"])?;
    let recorded = std::fs::read_to_string(passed()).ok();
    let recorded =
        recorded.filter(|base| git(&["merge-base", "--is-ancestor", base, "HEAD"]).is_some());
    let base_of_branch = || {
        let branches = ["origin/main", "main"].iter();
        let mut bases = branches.filter_map(|branch| git(&["merge-base", branch, "HEAD"]));
        bases.find(|base| *base != head)
    };
    let recent = || {
        let listed = git(&["rev-list", COMMITS, "HEAD"])?;
        let first = listed.lines().last()?.to_owned();
        (first != head).then_some(first)
    };
    let base = recorded.or_else(base_of_branch).or_else(recent)?;
    let changed = git(&["diff", "--name-only", &base])?;
    Some((base, changed.lines().map(str::to_owned).collect()))
}

/// Returns the output of git, if it succeeds.
fn git(args: &[&str]) -> Option<String> {
    let output = command("git", args).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::root;

    #[test]
    fn relevant_paths_are_there() {
        for path in RELEVANT {
            assert!(root().join(path).exists(), "{path}");
        }
    }

    #[test]
    fn sources_that_are_compared_and_manifests_matter() {
        for file in [
            "crates/cli/Cargo.toml",
            "crates/othello/src/endgame/mod.rs",
            "data/certificates/a",
            "xtask/src/publish.rs",
        ] {
            assert!(matters(file), "{file}");
        }
        assert!(!matters("docs/tour.md") && !matters("crates/web/src/lib.rs"));
    }
}
