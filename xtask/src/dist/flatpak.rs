//! The Flatpak manifest of Flathub, which builds papan from the source archive, and the AppStream
//! metadata beside it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::manifests::Archive;
use super::{DESCRIPTION, HOMEPAGE};
use crate::command::{command, exists};
use crate::platforms::checked;

/// Flathub derives it from the address of the repository.
const ID: &str = "io.github.papan_game.papan";

/// Writes the manifest and the metadata, and checks the latter if appstreamcli is there.
pub(super) fn write(folder: &Path, version: &str, source: &Archive) -> anyhow::Result<()> {
    let manifest = serde_json::to_string_pretty(&manifest(source))? + "\n";
    fs::write(folder.join(format!("{ID}.json")), manifest)?;
    let date = checked(command("git", &["log", "-1", "--format=%cs"]))?;
    let path = folder.join(metadata_name());
    fs::write(&path, metadata(version, date.trim()))?;
    if exists("appstreamcli") {
        let mut validate = command("appstreamcli", &["validate", "--no-net"]);
        validate.arg(&path);
        checked(validate)?;
    }
    Ok(())
}

fn metadata_name() -> String {
    format!("{ID}.metainfo.xml")
}

/// Commands that build and install papan, as from the other packages: on x86-64 two programs.
const COMMANDS: [&str; 4] = [
    "cargo build --profile dist --offline --locked --package papan",
    "if [ $FLATPAK_ARCH = x86_64 ]; then \
       install -Dm755 target/dist/papan $FLATPAK_DEST/lib/papan/papan-x86-64-v3 && \
       RUSTFLAGS='-C target-cpu=x86-64' \
       cargo build --profile dist --offline --locked --package papan; fi",
    "install -Dm755 target/dist/papan -t $FLATPAK_DEST/bin",
    "install -Dm644 data/automata/*.txt -t $FLATPAK_DEST/share/papan/automata",
];

fn manifest(source: &Archive) -> Value {
    let metadata = metadata_name();
    let install = format!("install -Dm644 {metadata} -t $FLATPAK_DEST/share/metainfo");
    let mut commands = COMMANDS.to_vec();
    commands.push(&install);
    json!({
        "id": ID,
        "runtime": "org.freedesktop.Platform",
        "runtime-version": "25.08",
        "sdk": "org.freedesktop.Sdk",
        "sdk-extensions": ["org.freedesktop.Sdk.Extension.rust-stable"],
        "command": "papan",
        // Servers and workers; files of games and certificates.
        "finish-args": ["--share=network", "--filesystem=home"],
        "modules": [{
            "name": "papan",
            "buildsystem": "simple",
            "build-options": { "append-path": "/usr/lib/sdk/rust-stable/bin" },
            "build-commands": commands,
            "sources": [
                { "type": "archive", "url": source.url, "sha256": source.sha256 },
                { "type": "file", "path": metadata },
            ],
        }],
    })
}

fn metadata(version: &str, date: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<component type="console-application">
  <id>{ID}</id>
  <name>papan</name>
  <summary>Board games to play, solve and prove</summary>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>MIT OR Apache-2.0</project_license>
  <developer id="io.github.papan_game">
    <name>The papan developers</name>
  </developer>
  <description>
    <p>
      {DESCRIPTION}. One program: full-screen board, web server, engine protocols, tournaments, exact solutions with
      certificates, jobs on many machines.
    </p>
  </description>
  <url type="homepage">{HOMEPAGE}</url>
  <url type="bugtracker">{HOMEPAGE}/issues</url>
  <provides>
    <binary>papan</binary>
  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="{version}" date="{date}"/>
  </releases>
</component>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::set_mode;

    /// The commands of the manifest are run as flatpak-builder does, with another cargo.
    #[test]
    fn the_manifest_installs_every_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let source = Archive {
            url: "https://example.org/papan.tar.xz".into(),
            sha256: "0123456789abcdef".repeat(4),
        };
        write(path, "1.2.3", &source).unwrap();
        let text = fs::read_to_string(path.join(format!("{ID}.json"))).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let module = &manifest["modules"][0];
        assert_eq!(module["sources"][0]["sha256"], source.sha256);
        let commands: Vec<&str> = (module["build-commands"].as_array().unwrap().iter())
            .map(|command| command.as_str().unwrap())
            .collect();
        let cargo = path.join("cargo");
        let program = "mkdir -p target/dist; echo \"flags $RUSTFLAGS\" > target/dist/papan";
        fs::write(&cargo, format!("#!/bin/sh\n{program}\n")).unwrap();
        set_mode(&cargo, 0o755).unwrap();
        let automata = path.join("data/automata");
        fs::create_dir_all(&automata).unwrap();
        fs::write(automata.join("attack.txt"), "table").unwrap();
        for (processor, count) in [("x86_64", 4), ("aarch64", 3)] {
            let script = format!(
                "set -e; PATH=$PWD:$PATH FLATPAK_ARCH={processor} FLATPAK_DEST=$PWD/{processor}; \
                 unset RUSTFLAGS; {}; find {processor} -type f | wc -l",
                commands.join("; ")
            );
            let mut shell = command("sh", &["-c", &script]);
            shell.current_dir(path);
            let installed = checked(shell).unwrap();
            assert_eq!(installed.trim(), count.to_string());
        }
        let flags = |file: &str| fs::read_to_string(path.join(file)).unwrap();
        assert!(flags("x86_64/bin/papan").contains("target-cpu=x86-64\n"));
        assert_eq!(flags("x86_64/lib/papan/papan-x86-64-v3"), "flags \n");
        assert_eq!(flags("aarch64/bin/papan"), "flags \n");
    }
}
