//! A working directory for the commands of documentation pages.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A working directory that links to everything in the root of the repository.
pub(crate) struct Desk(tempfile::TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = tempfile::tempdir().expect("a folder");
        for entry in std::fs::read_dir(root()).expect("the root") {
            let entry = entry.expect("an entry");
            let path = entry.path().canonicalize().expect("a path");
            symlink(path, desk.path().join(entry.file_name())).expect("a link");
        }
        std::fs::create_dir(desk.path().join("bin")).expect("a folder");
        let papan = desk.path().join("bin/papan");
        symlink(env!("CARGO_BIN_EXE_papan"), papan).expect("a link");
        Self(desk)
    }

    /// Runs a command and returns its output and exit code.
    pub(crate) fn run(&self, command: &str) -> (String, i32) {
        let path = std::env::var("PATH").unwrap_or_default();
        let folder = self.0.path();
        let output = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(folder)
            .stdin(Stdio::null())
            .env("PATH", format!("{}:{path}", folder.join("bin").display()))
            .env("LANG", "C.UTF-8")
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env("PAPAN_DATA_DIR", folder.join("user-data"))
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .output()
            .expect("there is a shell");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (text, output.status.code().unwrap_or(-1))
    }
}
