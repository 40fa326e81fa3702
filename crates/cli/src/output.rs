//! What papan says besides boards. Names and texts of others are in it: nothing that
//! a terminal obeys gets through.

use std::io::Write as _;

use papan_rules::{sanitize, sanitize_lines};

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(sanitize_lines(text).as_bytes())?;
    out.flush()
}

/// Says something on standard error, where it mixes with no result.
pub(crate) fn status(text: impl std::fmt::Display) {
    eprintln!("papan: {}", sanitize_lines(&text.to_string()));
}

/// Says what is wrong with the arguments, and how papan ends then. Colours are left
/// out where arguments have something in them that a terminal obeys.
pub(crate) fn wrong_arguments(error: &clap::Error) -> std::process::ExitCode {
    let is_hostile = |argument: std::ffi::OsString| {
        let text = argument.to_string_lossy();
        sanitize(&text) != text
    };
    if !std::env::args_os().any(is_hostile) {
        error.exit();
    }
    eprint!("{}", sanitize_lines(&error.render().to_string()));
    std::process::ExitCode::from(2)
}
