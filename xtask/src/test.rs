//! `cargo xtask test`: all checks that must pass before a change is merged.

use crate::command::{self, cargo, command, exists};
use crate::{
    advisories, api, book, browser, deploy, licences, links, packages, prose, publish, site,
    targets, wasm, wheel, workflows,
};

fn documentation() -> anyhow::Result<()> {
    let mut docs = command("cargo", &["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    command::run(docs)
}

pub(crate) fn run() -> anyhow::Result<()> {
    packages::ensure()?;
    cargo(&["fmt", "--all", "--check"])?;
    licences::check()?;
    advisories::check()?;
    workflows::check()?;
    deploy::check()?;
    publish::check(publish::Depth::Package)?;
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
    // A build for people who only play: without the web server and its databases.
    let small = ["clippy", "-p", "papan", "--no-default-features", "--quiet"];
    cargo(&[&small[..], &["--", "-D", "warnings"]].concat())?;
    targets::check()?;
    documentation()?;
    if exists("cargo-nextest") {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast"])?;
        // nextest does not run doc tests.
        cargo(&["test", "--workspace", "--doc", "--quiet"])?;
    } else {
        cargo(&["test", "--workspace", "--no-fail-fast"])?;
    }
    wheel::test()?;
    api::test()?;
    let has_modules = wasm::is_possible()?;
    if has_modules {
        wasm::run_all()?;
        site::make(None)?;
    }
    browser::test(has_modules)
}
