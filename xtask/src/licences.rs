//! Checks the licences and sources of all dependencies against `deny.toml`.
//!
//! Uses cargo-deny if it is installed, else compares the allow list with `cargo metadata`.

use anyhow::{Context as _, bail};
use cargo_metadata::{MetadataCommand, Package};
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

use crate::command::{cargo, exists, root};

pub(crate) fn check() -> anyhow::Result<()> {
    if exists("cargo-deny") {
        return cargo(&["deny", "check", "bans", "licenses", "sources"]);
    }
    let deny = std::fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let allowed = allowed(&deny)?;
    let packages = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked".to_owned()])
        .exec()?
        .packages;
    let violations: Vec<String> = packages
        .iter()
        .flat_map(|package| violations(package, &allowed))
        .collect();
    if !violations.is_empty() {
        bail!("{}", violations.join("\n"));
    }
    println!("licences: {} packages, all allowed", packages.len());
    Ok(())
}

/// The relevant part of `deny.toml`.
#[derive(Deserialize)]
struct Deny {
    licenses: Licences,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

fn allowed(deny: &str) -> anyhow::Result<Vec<Licensee>> {
    let deny: Deny = toml::from_str(deny).context("deny.toml")?;
    deny.licenses
        .allow
        .iter()
        .map(|name| Licensee::parse(name).with_context(|| format!("deny.toml: {name}")))
        .collect()
}

fn violations(package: &Package, allowed: &[Licensee]) -> Vec<String> {
    let name = format!("{} {}", package.name, package.version);
    let mut violations = Vec::new();
    let licence = package.license.as_deref().unwrap_or("(none)");
    if !is_allowed(licence, allowed) {
        violations.push(format!("{name}: licence {licence} is not in deny.toml"));
    }
    if let Some(source) = &package.source
        && !source.repr.starts_with("registry+")
    {
        violations.push(format!("{name}: source {source} is not a registry"));
    }
    violations
}

/// Returns whether an SPDX expression such as `MIT OR (Apache-2.0 AND ISC)` is satisfied.
fn is_allowed(expression: &str, allowed: &[Licensee]) -> bool {
    // Old crates write `MIT/Apache-2.0`, which only the lax mode accepts.
    Expression::parse_mode(expression, ParseMode::LAX).is_ok_and(|expression| {
        expression.evaluate(|wanted| allowed.iter().any(|licence| licence.satisfies(wanted)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_by_one_of_their_choices() {
        let allowed = allowed("[licenses]\nallow = [\"MIT\", \"Apache-2.0\"]").unwrap();
        assert!(is_allowed("MIT OR GPL-3.0", &allowed));
        assert!(is_allowed("(MIT OR ISC) AND Apache-2.0", &allowed));
        assert!(is_allowed("MIT/Apache-2.0", &allowed));
        assert!(!is_allowed("GPL-3.0", &allowed));
        assert!(!is_allowed("MIT AND GPL-3.0", &allowed));
        assert!(!is_allowed("(none)", &allowed));
    }

    #[test]
    fn the_list_of_deny_toml_names_licences_that_exist() {
        let deny = std::fs::read_to_string(root().join("deny.toml")).unwrap();
        assert!(allowed(&deny).unwrap().len() > 3);
        assert!(allowed("[licenses]\nallow = [\"No-Such-Licence\"]").is_err());
    }
}
