//! The project's chores: `cargo xtask test`, `cargo xtask bench`.

mod api;
mod browser;
mod command;
mod deploy;
mod fuzz;
mod levels;
mod licences;
mod miri;
mod packages;
mod python;
mod soak;
mod targets;
mod test;
mod train;
mod values;
mod workflows;

use std::process::ExitCode;

use command::cargo;

const USAGE: &str = "\
cargo xtask test    set up what the tests need, then run every check and every test
cargo xtask api     look at the HTTP API of the debug build with schemathesis
cargo xtask soak    two servers and three workers that fall and rise again; [MINUTES], 10 without
cargo xtask miri    look for undefined behaviour in the engine, where a nightly Miri is installed
cargo xtask fuzz    let libFuzzer try every reader; see its own --help
cargo xtask train   make the Othello engine's weights from nothing; see its own --help
cargo xtask levels  play every level of the computer against the one below; [GAMES] [BOARD …]
cargo xtask values  solve the boards of docs/values.md again, with certificates; [quick|minutes|hours] [FOLDER]
cargo xtask bench   run the benchmarks, each beside its peer";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let result = match words.next().as_deref() {
        Some("test") => test::run(),
        Some("api") => api::test(),
        Some("soak") => soak::run(words),
        Some("miri") => miri::run(),
        Some("fuzz") => fuzz::start(words),
        Some("train") => train::run(words),
        Some("levels") => levels::run(words),
        Some("values") => values::run(words),
        Some("bench") => cargo(&["bench", "--workspace"]),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
