//! Sets `PAPAN_SOURCE` to `+DIGEST` of the source that the results of jobs depend on, so that two
//! builds of one version share jobs only if they are the same. Releases have none: their version is
//! enough (`PAPAN_RELEASE`, or a package from a registry, which has no sibling crates).

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The crates whose code runs in a job.
const CRATES: [&str; 11] = [
    "analysis",
    "arena",
    "catalog",
    "jobs",
    "mnk",
    "othello",
    "protocol",
    "rules",
    "solve",
    "strategies",
    "train",
];
/// Hexadecimal digits of the digest.
const DIGITS: usize = 8;

fn main() {
    println!("cargo::rerun-if-env-changed=PAPAN_RELEASE");
    let is_release = std::env::var_os("PAPAN_RELEASE").is_some();
    let source = if is_release { None } else { digest() };
    let source = source.map_or_else(String::new, |digest| format!("+{digest}"));
    println!("cargo::rustc-env=PAPAN_SOURCE={source}");
}

/// Returns the digest of all source files, in the order of their names.
fn digest() -> Option<String> {
    let mut hash = Sha256::new();
    for name in CRATES {
        let folder = Path::new("..").join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        collect(&folder, &mut files).ok()?;
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).ok()?;
            // A checkout on Windows may have other line ends.
            hash.update(text.replace('\r', "").as_bytes());
            hash.update([0]);
        }
    }
    let digest: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Some(digest[..DIGITS].to_owned())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
