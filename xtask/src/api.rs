//! The HTTP API against its own description: schemathesis makes requests from the
//! OpenAPI document, good ones and bad ones, and checks every answer.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::Context as _;

use crate::command::{command, debug_binary, root, run};
use crate::python;

/// The series of versions that is known to work.
const SCHEMATHESIS: &str = "schemathesis>=4.32,<5";

/// A running server; it ends with its owner.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Installs schemathesis where it is missing, then lets it look at a server.
pub(crate) fn test() -> anyhow::Result<()> {
    let schemathesis = python::install("schemathesis", SCHEMATHESIS)?;
    let data = std::env::temp_dir().join(format!("papan-api-{}", std::process::id()));
    let looked = look(&schemathesis, &data);
    // Leaving it behind would do no harm.
    let _ = std::fs::remove_dir_all(&data);
    looked
}

fn look(schemathesis: &str, data: &Path) -> anyhow::Result<()> {
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
        .context("papan serve has an output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next());
    let address = address.with_context(|| format!("no address in {line:?}"))?;
    let document = format!("http://{address}/openapi.json");
    let settings = root().join("crates/web/schemathesis.toml");
    let settings = settings.display().to_string();
    let mut look = command(
        schemathesis,
        &["--config-file", &settings, "run", &document],
    );
    // It leaves a cache where it is started.
    look.current_dir(data);
    run(look)
}
