//! Manifests of package managers, generated from the files of a release: a Homebrew formula and a
//! Scoop manifest.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{DESCRIPTION, HOMEPAGE, sha256, version};

/// Writes the manifests beside the archives they name. Archives that are not there are left out.
pub(crate) fn write(folder: &Path) -> anyhow::Result<()> {
    let version = version()?;
    let digest = |end: &str| -> anyhow::Result<Option<Archive>> {
        let name = format!("papan-{version}-{end}");
        let path = folder.join(&name);
        if !path.is_file() {
            return Ok(None);
        }
        let sum = sha256(folder, std::slice::from_ref(&name))?;
        let sha256 = sum.split(' ').next().unwrap_or_default().to_owned();
        let url = format!("{HOMEPAGE}/releases/download/v{version}/{name}");
        Ok(Some(Archive { url, sha256 }))
    };
    let mac = digest("macos-universal.tar.gz")?;
    let linux = digest("linux-x86-64.tar.gz")?;
    let arm = digest("linux-arm64.tar.gz")?;
    let formula = formula(&version, mac.as_ref(), linux.as_ref(), arm.as_ref());
    fs::write(folder.join("papan.rb"), formula)?;
    if let Some(windows) = digest("windows-x86-64.zip")? {
        let manifest = scoop(&version, &windows);
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        fs::write(folder.join("papan.json"), text)?;
    }
    Ok(())
}

/// A file to download.
struct Archive {
    url: String,
    sha256: String,
}

/// Returns the formula of Homebrew.
fn formula(
    version: &str,
    mac: Option<&Archive>,
    linux: Option<&Archive>,
    arm: Option<&Archive>,
) -> String {
    let source = |archive: &Archive, indent: &str| {
        let Archive { url, sha256 } = archive;
        format!("{indent}url \"{url}\"\n{indent}sha256 \"{sha256}\"\n")
    };
    let mut sources = String::new();
    if let Some(mac) = mac {
        sources += &format!("  on_macos do\n{}  end\n\n", source(mac, "    "));
    }
    let processors = [("on_intel", linux), ("on_arm", arm)];
    let on_linux: String = processors
        .into_iter()
        .filter_map(|(processor, archive)| {
            let source = source(archive?, "      ");
            Some(format!("    {processor} do\n{source}    end\n"))
        })
        .collect();
    if !on_linux.is_empty() {
        sources += &format!("  on_linux do\n{on_linux}  end\n\n");
    }
    format!(
        r##"class Papan < Formula
  desc "{DESCRIPTION}"
  homepage "{HOMEPAGE}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]

{sources}  def install
    bin.install Dir["papan*"]
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/papan.bash" => "papan"
    zsh_completion.install "completions/papan.zsh" => "_papan"
    fish_completion.install "completions/papan.fish"
    pkgshare.install "automata"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/papan --version")
    assert_match "the first player wins", shell_output("#{{bin}}/papan solve tictactoe:4x4:3")
  end
end
"##
    )
}

/// Returns the manifest of Scoop.
fn scoop(version: &str, windows: &Archive) -> serde_json::Value {
    let update =
        format!("{HOMEPAGE}/releases/download/v$version/papan-$version-windows-x86-64.zip");
    json!({
        "version": version,
        "description": DESCRIPTION,
        "homepage": HOMEPAGE,
        "license": "MIT|Apache-2.0",
        "architecture": {
            "64bit": {
                "url": windows.url,
                "hash": windows.sha256,
                "extract_dir": format!("papan-{version}-windows-x86-64"),
            }
        },
        "bin": "papan.exe",
        "checkver": "github",
        "autoupdate": {
            "architecture": {
                "64bit": { "url": update, "extract_dir": "papan-$version-windows-x86-64" }
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(name: &str) -> Archive {
        Archive {
            url: format!("https://example.org/{name}"),
            sha256: "0123456789abcdef".repeat(4),
        }
    }

    /// Every `do` and `def` has its `end`, with the same indentation, and strings are closed.
    #[test]
    fn the_formula_is_well_formed() {
        let all = [archive("mac"), archive("intel"), archive("arm")];
        let text = formula("1.2.3", Some(&all[0]), Some(&all[1]), Some(&all[2]));
        let mut open = Vec::new();
        for line in text.lines() {
            let indent = line.len() - line.trim_start().len();
            let first = line.trim().split(' ').next().unwrap_or_default();
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
            if line.ends_with(" do") || ["class", "def"].contains(&first) {
                open.push(indent);
            } else if first == "end" {
                assert_eq!(open.pop(), Some(indent), "{line}");
            }
        }
        assert!(open.is_empty());
        assert_eq!(text.matches("sha256 \"").count(), 3);
        assert_eq!(text.matches("#{bin}/papan").count(), 2);
        let partial = formula("1.2.3", None, Some(&all[1]), None);
        assert!(!partial.contains("on_macos") && partial.contains("on_intel"));
    }

    /// The fields that Scoop's schema requires, and an address that the next version can be put into.
    #[test]
    fn the_manifest_of_scoop_has_its_fields() {
        let manifest = scoop("1.2.3", &archive("papan.zip"));
        for field in ["version", "homepage", "license", "architecture", "bin"] {
            assert!(!manifest[field].is_null(), "{field}");
        }
        let update = &manifest["autoupdate"]["architecture"]["64bit"]["url"];
        let address = update.as_str().unwrap().replace("$version", "1.2.3");
        assert!(address.ends_with("/v1.2.3/papan-1.2.3-windows-x86-64.zip"));
        assert_eq!(
            manifest["architecture"]["64bit"]["hash"]
                .as_str()
                .unwrap()
                .len(),
            64
        );
    }
}
