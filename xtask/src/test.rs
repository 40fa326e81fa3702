//! `cargo xtask test`: all checks that must pass before a change is merged.

use crate::command::{self, cargo, command, exists};
use crate::{api, book, browser, deploy, licences, links, packages, prose, targets, workflows};

fn documentation() -> anyhow::Result<()> {
    let mut docs = command("cargo", &["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    command::run(docs)
}

pub(crate) fn run() -> anyhow::Result<()> {
    packages::ensure()?;
    cargo(&["fmt", "--all", "--check"])?;
    licences::check()?;
    workflows::check()?;
    deploy::check()?;
    prose::check()?;
    links::check()?;
    book::build()?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ])?;
    targets::check()?;
    documentation()?;
    if exists("cargo-nextest") {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast"])?;
        // nextest does not run doc tests.
        cargo(&["test", "--workspace", "--doc", "--quiet"])?;
    } else {
        cargo(&["test", "--workspace", "--no-fail-fast"])?;
    }
    api::test()?;
    browser::test()
}
