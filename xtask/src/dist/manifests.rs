//! Manifests of package managers, generated from the files of a release: a Homebrew formula, manifests
//! of Scoop and winget, a `PKGBUILD` of the AUR, and a Flatpak manifest.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{DESCRIPTION, HOMEPAGE, TRIAL, flatpak, sha256, version};
use crate::command::{command, exists};
use crate::platforms::checked;

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
    let text = formula(&version, mac.as_ref(), linux.as_ref(), arm.as_ref());
    let formula = folder.join("papan.rb");
    fs::write(&formula, text)?;
    if exists("ruby") {
        let mut parse = command("ruby", &["-wc"]);
        parse.arg(&formula);
        checked(parse)?;
    }
    if let Some(windows) = digest("windows-x86-64.zip")? {
        let manifest = scoop(&version, &windows);
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        fs::write(folder.join("papan.json"), text)?;
        for (name, text) in winget(&version, &windows) {
            fs::write(folder.join(name), text)?;
        }
    }
    if let (Some(linux), Some(arm)) = (&linux, &arm) {
        fs::write(folder.join("PKGBUILD"), pkgbuild(&version, linux, arm))?;
    }
    if let Some(source) = digest("source.tar.xz")? {
        flatpak::write(folder, &version, &source)?;
    }
    Ok(())
}

/// A file to download.
pub(super) struct Archive {
    pub(super) url: String,
    pub(super) sha256: String,
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
    let (trial, result) = TRIAL;
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
    assert_match "{result}", shell_output("#{{bin}}/papan {trial}")
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

/// Name of the package in winget's repository.
const WINGET: &str = "PapanGame.Papan";

/// Returns the names and texts of winget's three manifests. Version 1.9 of their format has
/// `ArchiveBinariesDependOnPath`.
fn winget(version: &str, windows: &Archive) -> [(&'static str, String); 3] {
    let manifest = |kind: &str, fields: String| {
        format!(
            "# yaml-language-server: $schema=https://aka.ms/winget-manifest.{kind}.1.9.0.schema.json\n\
             PackageIdentifier: {WINGET}\nPackageVersion: {version}\n{fields}\
             ManifestType: {kind}\nManifestVersion: 1.9.0\n"
        )
    };
    let installer = format!(
        "InstallerType: zip\nNestedInstallerType: portable\nNestedInstallerFiles:\n\
         - RelativeFilePath: papan-{version}-windows-x86-64\\papan.exe\n  \
         PortableCommandAlias: papan\n\
         # So that papan.exe finds papan-x86-64-v3.exe.\n\
         ArchiveBinariesDependOnPath: true\n\
         Installers:\n- Architecture: x64\n  InstallerUrl: {}\n  InstallerSha256: {}\n",
        windows.url,
        windows.sha256.to_uppercase()
    );
    let locale = format!(
        "PackageLocale: en-US\nPublisher: papan-game\nPackageName: papan\nPackageUrl: {HOMEPAGE}\n\
         License: MIT OR Apache-2.0\nShortDescription: {DESCRIPTION}\n"
    );
    [
        (
            "papan.yaml",
            manifest("version", "DefaultLocale: en-US\n".into()),
        ),
        ("papan.installer.yaml", manifest("installer", installer)),
        ("papan.locale.en-US.yaml", manifest("defaultLocale", locale)),
    ]
}

/// Returns the build script of the AUR package `papan-bin`.
fn pkgbuild(version: &str, linux: &Archive, arm: &Archive) -> String {
    format!(
        r#"pkgname=papan-bin
pkgver={version}
pkgrel=1
pkgdesc='{DESCRIPTION}'
arch=(x86_64 aarch64)
url='{HOMEPAGE}'
license=('MIT OR Apache-2.0')
provides=(papan)
conflicts=(papan)
source_x86_64=('{}')
sha256sums_x86_64=('{}')
source_aarch64=('{}')
sha256sums_aarch64=('{}')

package() {{
  cd "$srcdir"/papan-"$pkgver"-linux-*
  install -Dm755 papan -t "$pkgdir/usr/bin"
  # The build that papan starts where the processor permits.
  if [ -e papan-x86-64-v3 ]; then
    install -Dm755 papan-x86-64-v3 -t "$pkgdir/usr/lib/papan"
  fi
  install -Dm644 man/*.1 -t "$pkgdir/usr/share/man/man1"
  install -Dm644 automata/* -t "$pkgdir/usr/share/papan/automata"
  install -Dm644 completions/papan.bash "$pkgdir/usr/share/bash-completion/completions/papan"
  install -Dm644 completions/papan.zsh "$pkgdir/usr/share/zsh/site-functions/_papan"
  install -Dm644 completions/papan.fish -t "$pkgdir/usr/share/fish/vendor_completions.d"
  install -Dm644 LICENSE-MIT -t "$pkgdir/usr/share/licenses/papan-bin"
}}
"#,
        linux.url, linux.sha256, arm.url, arm.sha256
    )
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

    /// With ruby, which parses the formula, if it is there.
    #[test]
    fn all_manifests_of_a_release_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let version = version().unwrap();
        let ends = [
            "macos-universal.tar.gz",
            "linux-x86-64.tar.gz",
            "linux-arm64.tar.gz",
            "windows-x86-64.zip",
            "source.tar.xz",
        ];
        for end in ends {
            fs::write(folder.path().join(format!("papan-{version}-{end}")), end).unwrap();
        }
        write(folder.path()).unwrap();
        let written = [
            "PKGBUILD",
            "io.github.papan_game.papan.json",
            "io.github.papan_game.papan.metainfo.xml",
            "papan.installer.yaml",
            "papan.json",
            "papan.locale.en-US.yaml",
            "papan.rb",
            "papan.yaml",
        ];
        for name in written {
            assert!(folder.path().join(name).is_file(), "{name}");
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

    /// Every line is a field, a list entry or a comment, and the fields that winget requires are there.
    #[test]
    fn the_manifests_of_winget_have_their_fields() {
        let required: [&[&str]; 3] = [
            &["DefaultLocale"],
            &[
                "InstallerType",
                "Installers",
                "  InstallerUrl",
                "  InstallerSha256",
            ],
            &[
                "PackageLocale",
                "Publisher",
                "PackageName",
                "License",
                "ShortDescription",
            ],
        ];
        let manifests = winget("1.2.3", &archive("papan.zip"));
        for ((name, text), required) in manifests.iter().zip(required) {
            let common = [
                "PackageIdentifier",
                "PackageVersion",
                "ManifestType",
                "ManifestVersion",
            ];
            for field in common.iter().chain(required) {
                let start = format!("{field}:");
                assert!(
                    text.lines().any(|line| line.starts_with(&start)),
                    "{name}: {field}"
                );
            }
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let (key, value) = line.split_once(':').expect(line);
                assert!(value.is_empty() || value.starts_with(' '), "{line}");
                // A second colon before a space would begin another field.
                assert!(!key.is_empty() && !value.contains(": "), "{line}");
            }
        }
        assert!(manifests[1].1.contains("InstallerSha256: 0123456789ABCDEF"));
    }

    /// The script is run on an unpacked archive, as `makepkg` does.
    #[test]
    fn the_package_of_the_aur_installs_every_file() {
        let folder = tempfile::tempdir().unwrap();
        let script = pkgbuild("1.2.3", &archive("intel"), &archive("arm"));
        fs::write(folder.path().join("PKGBUILD"), script).unwrap();
        let tree = folder.path().join("src/papan-1.2.3-linux-x86-64");
        let files = [
            "papan",
            "papan-x86-64-v3",
            "man/papan.1",
            "automata/attack.txt",
            "completions/papan.bash",
            "completions/papan.zsh",
            "completions/papan.fish",
            "LICENSE-MIT",
        ];
        for file in files {
            let path = tree.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let make = "set -e; srcdir=$PWD/src pkgdir=$PWD/pkg; . ./PKGBUILD; package; \
                    echo $pkgname $pkgver ${#source_x86_64[@]} ${#sha256sums_aarch64[@]}";
        let mut bash = command("bash", &["-c", make]);
        bash.current_dir(folder.path());
        assert_eq!(checked(bash).unwrap(), "papan-bin 1.2.3 1 1\n");
        let mut find = command("find", &["pkg", "-type", "f"]);
        find.current_dir(folder.path());
        let installed = checked(find).unwrap();
        assert_eq!(installed.lines().count(), files.len(), "{installed}");
        for path in ["usr/bin/papan", "usr/lib/papan/papan-x86-64-v3"] {
            assert!(installed.contains(path), "{installed}");
        }
    }
}
