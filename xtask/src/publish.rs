//! Readiness for crates.io: every crate that is published can be packaged, in order of dependencies.

use cargo_metadata::MetadataCommand;

use crate::command::{command, root, run};

/// How far the check goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The packages are made.
    Package,
    /// The packages are also compiled, each against the others.
    Compile,
}

/// Largest package that crates.io takes, in bytes.
const MAX_PACKAGE: u64 = 10 << 20;

/// Packages all crates that are published, and checks their metadata and sizes.
pub(crate) fn check(depth: Depth) -> anyhow::Result<()> {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()?;
    let mut package = command(
        "cargo",
        &["package", "--workspace", "--allow-dirty", "--quiet"],
    );
    let mut published = Vec::new();
    for member in metadata.workspace_packages() {
        let is_private = member.publish.as_ref().is_some_and(Vec::is_empty);
        if is_private {
            package.args(["--exclude", &member.name]);
        } else {
            for (field, is_set) in [
                ("description", member.description.is_some()),
                ("license", member.license.is_some()),
                ("repository", member.repository.is_some()),
                ("readme", member.readme.is_some()),
                ("categories", !member.categories.is_empty()),
            ] {
                anyhow::ensure!(is_set, "{} has no {field}", member.name);
            }
            published.push(format!("{}-{}.crate", member.name, member.version));
        }
    }
    if depth == Depth::Package {
        package.arg("--no-verify");
    }
    run(package)?;
    for name in &published {
        let path = metadata.target_directory.join("package").join(name);
        let bytes = std::fs::metadata(&path)?.len();
        anyhow::ensure!(
            bytes <= MAX_PACKAGE,
            "{name} has {bytes} bytes; crates.io takes {MAX_PACKAGE}"
        );
    }
    println!("publish: {} packages", published.len());
    Ok(())
}
