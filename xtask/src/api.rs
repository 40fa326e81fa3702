//! `cargo xtask api`: property-based tests of the HTTP API.
//!
//! [schemathesis](https://schemathesis.readthedocs.io) generates valid and invalid requests from
//! the OpenAPI document and validates every response.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::Context as _;

use crate::command::{command, debug_binary, root, run};
use crate::python;

/// Versions known to work.
const SCHEMATHESIS: &str = "schemathesis>=4.32,<5";

/// A running server, killed on drop.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Installs schemathesis if it is missing and runs it against a server.
pub(crate) fn test() -> anyhow::Result<()> {
    let schemathesis = python::install("schemathesis", SCHEMATHESIS)?;
    let data = tempfile::tempdir()?;
    test_server(&schemathesis, data.path())
}

fn test_server(schemathesis: &str, data: &Path) -> anyhow::Result<()> {
    let mut serve = command(&debug_binary()?, &["serve", "--listen", "127.0.0.1:0"]);
    serve
        .args(["--log", "error", "--data"])
        .arg(data)
        .args(["--changes-per-second", "100000"])
        .args(["--studies-per-second", "100000"])
        .args(["--pages-per-second", "100000"])
        .args(["--study-time", "20", "--move-time", "20"])
        .stdout(Stdio::piped());
    let mut server = Server(serve.spawn().context("cannot start papan serve")?);
    let output = server
        .0
        .stdout
        .take()
        .context("standard output of papan serve is piped")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next())
        .with_context(|| format!("no address in {line:?}"))?;
    let document = format!("http://{address}/openapi.json");
    let mut tests = command(schemathesis, &["--config-file"]);
    tests
        .arg(root().join("crates/web/schemathesis.toml"))
        .args(["run", &document])
        // It creates a cache in the working directory.
        .current_dir(data);
    run(tests)
}
