//! Development tasks: `cargo xtask test`, `cargo xtask bench` and others.
//!
//! Tasks are written in Rust and run with plain cargo, after the
//! [cargo-xtask](https://github.com/matklad/cargo-xtask) pattern; the alias is in
//! `.cargo/config.toml`.

mod advisories;
mod api;
mod book;
mod browser;
mod changes;
mod command;
mod cross;
mod deploy;
mod dist;
mod fuzz;
mod levels;
mod licences;
mod links;
mod miri;
mod packages;
mod platforms;
mod prose;
mod publish;
mod python;
mod site;
mod soak;
mod targets;
mod test;
mod train;
mod values;
mod wasm;
mod wheel;
mod workflows;

use std::process::ExitCode;

use command::cargo;

const USAGE: &str = "\
Usage: cargo xtask TASK [ARGUMENTS]

Tasks:
  test                                      Install what the tests need, then run all checks and tests
  test --platforms [--strict] [NAME...]     Test papan on Windows (wine), on ARM (qemu), as Debian package and as crates;
                                            with --strict, a platform that cannot be tested here fails
  test --changed-platforms                  The same, if files that matter to it changed
  dist [BUILD...]                           Make the archives and packages of a release in target/dist
  manifests FOLDER                          Write manifests of package managers for the archives in FOLDER
  publish                                   Package all crates in order, as for crates.io, and compile them
  api                                       Test the HTTP API of the debug build with schemathesis
  browser                                   Test the pages of the debug build in Chromium
  attack [SECONDS] [NAME]                   Measure a visitor's latency while another address attacks the server
  soak [MINUTES]                            Run servers and workers and kill them at random [default: 10]
  soak --faults COUNT                       Commit faults against the job system and count wrong results
  miri                                      Look for undefined behaviour in the engine (requires a nightly Miri)
  python                                    Test the Python package of the debug build
  wheel                                     Build the Python wheel of a release, and test it
  fuzz [minimize] [TARGET...] [LIMIT]       Fuzz all parsers with libFuzzer, or make their corpus small
  train FOLDER [OPTIONS]                    Train the weights of the Othello engine from scratch
  levels [GAMES] [BOARD...]                 Play each level of the computer against the level below
  values [quick|minutes|hours] [FOLDER]     Solve the boards of docs/values.md, with certificates
  wasm                                      Build the npm package papan and test it under node and in Chromium
  engine                                    Build the engine for browsers of a server in target/engine
  site [--server URL]                       Make the static site in target/site and visit it with Chromium
  bench                                     Run all benchmarks";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let result = match args.next().as_deref() {
        Some("test") => match args.next().as_deref() {
            None => test::run(),
            Some("--platforms") => platforms::test(&args.collect::<Vec<_>>()),
            Some("--changed-platforms") => changes::test(),
            Some(other) => Err(anyhow::anyhow!("`test` has no option `{other}`")),
        },
        Some("dist") => dist::run_all(args),
        Some("manifests") => match args.next() {
            Some(folder) => dist::manifests::write(folder.as_ref()),
            None => Err(anyhow::anyhow!("`manifests` takes the folder of a release")),
        },
        Some("publish") => publish::check(publish::Depth::Compile),
        Some("api") => api::test(),
        Some("browser") => wasm::is_possible().and_then(browser::test),
        Some("attack") => {
            let bench = ["bench", "-q", "-p", "papan-web", "--bench", "attack", "--"];
            let args: Vec<String> = args.collect();
            let args = args.iter().map(String::as_str);
            cargo(&bench.into_iter().chain(args).collect::<Vec<_>>())
        }
        Some("soak") => soak::run(args),
        Some("miri") => miri::run(),
        Some("python") => wheel::test(),
        Some("wheel") => wheel::release().map(|_| ()),
        Some("fuzz") => fuzz::run(args),
        Some("train") => train::run(args),
        Some("levels") => levels::run(args),
        Some("values") => values::run(args),
        Some("wasm") => wasm::run_all(),
        Some("engine") => wasm::engine().map(drop),
        Some("site") => site::run_all(args),
        // Those of the server need a server, or attack one.
        Some("bench") => cargo(&["bench", "--workspace", "--exclude", "papan-web"]),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            if error.is::<command::Skipped>() {
                return ExitCode::from(command::SKIPPED);
            }
            ExitCode::FAILURE
        }
    }
}
