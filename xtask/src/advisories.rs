//! Checks all dependencies against the RustSec advisory database, wherever a copy of it is.
//!
//! No copy is downloaded: without a network, `cargo xtask test` must work. CI fetches one.

use std::path::PathBuf;

use crate::command::{cargo, exists};

/// Where cargo-deny and cargo-audit keep the database.
const DENY_DATABASE: &str = "advisory-dbs";
const AUDIT_DATABASE: &str = "advisory-db";

pub(crate) fn check() -> anyhow::Result<()> {
    if exists("cargo-deny") && has_database(DENY_DATABASE) {
        return cargo(&["deny", "--offline", "check", "advisories"]);
    }
    if exists("cargo-audit") && has_database(AUDIT_DATABASE) {
        return cargo(&["audit", "--no-fetch", "--deny", "warnings"]);
    }
    println!("skipping advisories: no cargo-deny or cargo-audit with an advisory database");
    Ok(())
}

fn has_database(name: &str) -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    home.is_some_and(|home| home.join(name).is_dir())
}
