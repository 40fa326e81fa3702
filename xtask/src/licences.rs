//! Checks the licences, sources and duplicates of all dependencies against `deny.toml`.
//!
//! Uses cargo-deny if it is installed, else compares the allow list with `cargo metadata`.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use cargo_metadata::semver::{Version, VersionReq};
use cargo_metadata::{MetadataCommand, Package};
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

use crate::command::{cargo, exists, root};

pub(crate) fn check() -> anyhow::Result<()> {
    if exists("cargo-deny") {
        return cargo(&["deny", "check", "bans", "licenses", "sources"]);
    }
    let deny = std::fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let deny: Deny = toml::from_str(&deny).context("deny.toml")?;
    let allowed = deny.licenses.allowed()?;
    let packages = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked".to_owned()])
        .exec()?
        .packages;
    let mut violations: Vec<String> = packages
        .iter()
        .flat_map(|package| violations(package, &allowed))
        .collect();
    let versions = packages
        .iter()
        .map(|package| (package.name.as_str(), &package.version));
    violations.extend(duplicates(versions, &deny.bans.skips()?));
    if !violations.is_empty() {
        bail!("{}", violations.join("\n"));
    }
    println!("dependencies: {} packages, all allowed", packages.len());
    Ok(())
}

/// The relevant part of `deny.toml`.
#[derive(Deserialize)]
struct Deny {
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Bans {
    skip: Vec<Skip>,
}

/// A crate of which a second version is accepted, such as `nix@0.28`.
#[derive(Deserialize)]
struct Skip {
    #[serde(rename = "crate")]
    spec: String,
}

/// A crate and the versions of it that do not count as duplicates.
struct AcceptedVersion {
    name: String,
    versions: VersionReq,
}

impl Bans {
    fn skips(&self) -> anyhow::Result<Vec<AcceptedVersion>> {
        let read = |skip: &Skip| {
            let (name, versions) = skip.spec.split_once('@')?;
            Some(AcceptedVersion {
                name: name.to_owned(),
                versions: VersionReq::parse(versions).ok()?,
            })
        };
        let skips = self.skip.iter();
        skips
            .map(|skip| read(skip).with_context(|| format!("deny.toml: {}", skip.spec)))
            .collect()
    }
}

/// Returns the crates with several versions beside the accepted ones, and unused exceptions.
fn duplicates<'a>(
    packages: impl Iterator<Item = (&'a str, &'a Version)>,
    accepted: &[AcceptedVersion],
) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&Version>> = BTreeMap::new();
    for (name, version) in packages {
        versions.entry(name).or_default().push(version);
    }
    let is_accepted = |name: &str, version: &Version| {
        let mut of_name = accepted.iter().filter(|accepted| accepted.name == name);
        of_name.any(|accepted| accepted.versions.matches(version))
    };
    let mut messages = Vec::new();
    for (name, versions) in &versions {
        let counted = versions
            .iter()
            .filter(|version| !is_accepted(name, version));
        if counted.count() > 1 {
            let all: Vec<String> = versions.iter().map(ToString::to_string).collect();
            messages.push(format!(
                "{name} has the versions {}; unify them, or accept one in deny.toml",
                all.join(" and ")
            ));
        }
    }
    for accepted in accepted {
        let found = versions.get(accepted.name.as_str());
        let mut found = found.into_iter().flatten();
        if !found.any(|version| accepted.versions.matches(version)) {
            let AcceptedVersion { name, versions } = accepted;
            messages.push(format!("deny.toml: {name}@{versions} is not used"));
        }
    }
    messages
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

impl Licences {
    fn allowed(&self) -> anyhow::Result<Vec<Licensee>> {
        let names = self.allow.iter();
        names
            .map(|name| Licensee::parse(name).with_context(|| format!("deny.toml: {name}")))
            .collect()
    }
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

    fn licences(names: &[&str]) -> Licences {
        Licences {
            allow: names.iter().map(|&name| name.into()).collect(),
        }
    }

    #[test]
    fn expressions_are_met_by_one_of_their_choices() {
        let allowed = licences(&["MIT", "Apache-2.0"]).allowed().unwrap();
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
        let deny: Deny = toml::from_str(&deny).unwrap();
        assert!(deny.licenses.allowed().unwrap().len() > 3);
        assert!(licences(&["No-Such-Licence"]).allowed().is_err());
        assert!(deny.bans.skips().is_ok());
    }

    #[test]
    fn a_second_version_must_be_accepted_and_an_acceptance_used() {
        let versions = [("nix", "0.28.0"), ("nix", "0.31.3"), ("toml", "1.0.0")];
        let versions = versions.map(|(name, version)| (name, Version::parse(version).unwrap()));
        let messages = |specs: &[&str]| {
            let skip = specs.iter().map(|&spec| Skip { spec: spec.into() });
            let bans = Bans {
                skip: skip.collect(),
            };
            let packages = versions.iter().map(|(name, version)| (*name, version));
            duplicates(packages, &bans.skips().unwrap())
        };
        assert!(messages(&[])[0].starts_with("nix has the versions 0.28.0 and 0.31.3"));
        assert!(messages(&["nix@0.28"]).is_empty());
        assert_eq!(messages(&["nix@0.28", "nix@0.26"]).len(), 1);
    }
}
