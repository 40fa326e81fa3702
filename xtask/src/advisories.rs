//! Checks all dependencies against the RustSec advisory database, wherever a copy of it is.
//!
//! No copy is downloaded: without a network, `cargo xtask test` must work. CI fetches one.

use std::path::PathBuf;

use anyhow::Context as _;
use serde::Deserialize;

use crate::command::{cargo, exists, root};

/// Where cargo-deny and cargo-audit keep the database.
const DENY_DATABASE: &str = "advisory-dbs";
const AUDIT_DATABASE: &str = "advisory-db";

pub(crate) fn check() -> anyhow::Result<()> {
    if exists("cargo-deny") && has_database(DENY_DATABASE) {
        return cargo(&["deny", "--offline", "check", "advisories"]);
    }
    if exists("cargo-audit") && has_database(AUDIT_DATABASE) {
        let deny = std::fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
        let ignored = ignored(&deny)?;
        let mut args = vec!["audit", "--no-fetch", "--deny", "warnings"];
        args.extend(ignored.iter().flat_map(|id| ["--ignore", id.as_str()]));
        return cargo(&args);
    }
    println!("skipping advisories: no cargo-deny or cargo-audit with an advisory database");
    Ok(())
}

fn has_database(name: &str) -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    home.is_some_and(|home| home.join(name).is_dir())
}

/// Returns the identifiers of the accepted advisories in `deny.toml`, which cargo-audit does not read.
fn ignored(deny: &str) -> anyhow::Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Deny {
        advisories: Advisories,
    }
    #[derive(Deserialize)]
    struct Advisories {
        ignore: Vec<Ignored>,
    }
    #[derive(Deserialize)]
    struct Ignored {
        id: String,
    }
    let deny: Deny = toml::from_str(deny).context("deny.toml")?;
    let ignored = deny.advisories.ignore.into_iter();
    Ok(ignored.map(|ignored| ignored.id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_advisories_are_those_of_deny_toml() {
        let ignored = ignored(include_str!("../../deny.toml")).unwrap();
        assert!(ignored.iter().all(|id| id.starts_with("RUSTSEC-")));
        let lock = include_str!("../../Cargo.lock");
        let has_instant = lock.contains("name = \"instant\"\n");
        assert_eq!(
            ignored.contains(&"RUSTSEC-2024-0384".to_owned()),
            has_instant,
            "accepted as long as it is used"
        );
    }
}
