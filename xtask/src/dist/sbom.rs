//! The bill of materials of papan's programs: every crate that one of them may contain, as CycloneDX 1.5.
//! See <https://cyclonedx.org/docs/1.5/json/>.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{DESCRIPTION, HOMEPAGE, version};
use crate::command::root;

/// Writes the bill of materials.
pub(super) fn write(folder: &Path) -> anyhow::Result<()> {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked".to_owned()])
        .exec()?;
    let lock = fs::read_to_string(root().join("Cargo.lock"))?;
    let bill = bill(&metadata, &lock)?;
    let path = folder.join(format!("papan-{}.cdx.json", version()?));
    fs::write(path, serde_json::to_string_pretty(&bill)? + "\n")?;
    Ok(())
}

/// The part of `Cargo.lock` with the digests of packages.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

fn bill(metadata: &Metadata, lock: &str) -> anyhow::Result<Value> {
    let lock: Lock = toml::from_str(lock)?;
    let digests: BTreeMap<(String, String), String> = (lock.package.into_iter())
        .filter_map(|package| Some(((package.name, package.version), package.checksum?)))
        .collect();
    let packages: BTreeMap<&PackageId, &Package> =
        metadata.packages.iter().map(|p| (&p.id, p)).collect();
    let main = metadata.packages.iter().find(|p| p.name == "papan");
    let main = main.context("the workspace has a package papan")?;
    let graph = linked(metadata, &main.id)?;
    let component = |package: &Package| {
        let mut component = json!({
            "type": "library",
            "bom-ref": address(package),
            "name": package.name.as_str(),
            "version": package.version.to_string(),
            "purl": address(package),
        });
        if let Some(license) = &package.license {
            // Some old packages separate licences by a slash.
            let expression = license.replace('/', " OR ");
            component["licenses"] = json!([{ "expression": expression }]);
        }
        let key = (package.name.to_string(), package.version.to_string());
        if let Some(digest) = digests.get(&key) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": digest }]);
        }
        component
    };
    let others = graph.keys().filter(|id| **id != main.id);
    let mut application = component(main);
    application["type"] = "application".into();
    application["description"] = DESCRIPTION.into();
    application["externalReferences"] = json!([{ "type": "website", "url": HOMEPAGE }]);
    let uses = |(id, uses): (&PackageId, &BTreeSet<PackageId>)| {
        let uses: Vec<String> = uses.iter().map(|id| address(packages[id])).collect();
        json!({ "ref": address(packages[id]), "dependsOn": uses })
    };
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": application },
        "components": others.map(|id| component(packages[id])).collect::<Vec<_>>(),
        "dependencies": graph.iter().map(uses).collect::<Vec<_>>(),
    }))
}

/// Returns the packages that are linked into a program on any platform, each with those it uses.
fn linked(
    metadata: &Metadata,
    main: &PackageId,
) -> anyhow::Result<BTreeMap<PackageId, BTreeSet<PackageId>>> {
    let resolve = metadata
        .resolve
        .as_ref()
        .context("dependencies are resolved")?;
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut found = BTreeMap::new();
    let mut waiting = vec![main];
    while let Some(id) = waiting.pop() {
        if found.contains_key(id) {
            continue;
        }
        let node = nodes.get(id).context("every package is resolved")?;
        let is_linked = |dependency: &&cargo_metadata::NodeDep| {
            let mut kinds = dependency.dep_kinds.iter();
            kinds.any(|kind| kind.kind == DependencyKind::Normal)
        };
        let uses = node.deps.iter().filter(is_linked).map(|d| &d.pkg);
        waiting.extend(uses.clone());
        found.insert(id.clone(), uses.cloned().collect());
    }
    Ok(found)
}

/// Returns the package URL.
fn address(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_lists_every_crate_with_its_digest_and_licence() {
        let manifest = root().join("Cargo.toml");
        let metadata = MetadataCommand::new()
            .manifest_path(manifest)
            .exec()
            .unwrap();
        let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
        let bill = bill(&metadata, &lock).unwrap();
        let components = bill["components"].as_array().unwrap();
        let find = |name: &str| components.iter().find(|c| c["name"] == name);
        let clap = find("clap").unwrap();
        assert_eq!(clap["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(clap["hashes"][0]["content"].as_str().unwrap().len(), 64);
        // Our own crates have no digest in the lock file; tools of the tests are not linked.
        assert!(find("papan-othello").unwrap()["hashes"].is_null());
        assert!(find("proptest").is_none());
        let known: BTreeSet<&str> = components
            .iter()
            .chain([&bill["metadata"]["component"]])
            .map(|component| component["bom-ref"].as_str().unwrap())
            .collect();
        let dependencies = bill["dependencies"].as_array().unwrap();
        assert_eq!(known.len(), components.len() + 1);
        assert_eq!(dependencies.len(), known.len());
        for dependency in dependencies {
            for used in dependency["dependsOn"].as_array().unwrap() {
                assert!(known.contains(used.as_str().unwrap()), "{used}");
            }
        }
    }
}
