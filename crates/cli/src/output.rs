//! Standard output, standard error and output files.
//!
//! Results go to standard output, everything else to standard error. Text may contain strings
//! from files, engines and other users, so control characters are escaped before a terminal can
//! interpret them.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use papan_rules::{sanitize, sanitize_lines};

use papan_view::{Language, Messages};

use crate::{exit_code, localized_help};

/// The file name that means standard input or standard output.
pub(crate) const STANDARD: &str = "-";

/// Standard output. Unlike [`std::io::Stdout`] it fails if the descriptor was closed when papan
/// started, where the standard library would write to `/dev/null`.
pub(crate) struct Stdout(io::Stdout);

/// Returns standard output.
pub(crate) fn stdout() -> Stdout {
    Stdout(io::stdout())
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        papan_os::check_stdout()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        papan_os::check_stdout()?;
        self.0.flush()
    }
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    print_bytes(sanitize_lines(text).as_bytes())
}

/// Writes bytes to standard output as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes a file, replacing it in one step; `-` is standard output.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if is_standard(path) {
        return Ok(print_bytes(bytes)?);
    }
    papan_files::write_atomic(path, bytes)
        .map_err(|cause| anyhow::anyhow!("{}: {cause}", path.display()))
}

/// Prints the report of a command that also writes `file`. If that is standard output, the report
/// goes to standard error, so that the two do not mix.
pub(crate) fn print_beside(file: Option<&Path>, text: &str) -> io::Result<()> {
    print_styled_beside(file, &sanitize_lines(text))
}

/// Like [`print_beside`], but keeps escape sequences for colours.
pub(crate) fn print_styled_beside(file: Option<&Path>, text: &str) -> io::Result<()> {
    if file.is_some_and(is_standard) {
        return io::stderr().write_all(text.as_bytes());
    }
    print_bytes(text.as_bytes())
}

/// Returns whether a path means standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// Prints a status message or an error on standard error.
pub(crate) fn status(text: impl std::fmt::Display) {
    eprintln!("papan: {}", sanitize_lines(&text.to_string()));
}

/// Reports an error and returns the exit code for it. A broken pipe is not reported: `head`
/// closes it on purpose.
pub(crate) fn report(error: &anyhow::Error, words: Messages) -> ExitCode {
    let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_broken_pipe) {
        return ExitCode::from(exit_code::BROKEN_PIPE);
    }
    status(words.phrase(&format!("{error:#}")));
    ExitCode::from(exit_code::ERROR)
}

/// Prints what clap has to say about the arguments: the help text or version on standard output,
/// or an error on standard error. Colours are dropped if an argument contains control characters,
/// because clap repeats it.
pub(crate) fn report_arguments(error: &clap::Error, words: Messages) -> ExitCode {
    if words.language() != Language::English {
        return report_localized_arguments(error, words);
    }
    if !error.use_stderr() {
        return match papan_os::check_stdout().and_then(|()| error.print()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(cause) => report(&cause.into(), words),
        };
    }
    let has_control_characters = |argument: std::ffi::OsString| {
        let text = argument.to_string_lossy();
        sanitize(&text) != text
    };
    if std::env::args_os().any(has_control_characters) {
        eprint!("{}", sanitize_lines(&error.render().to_string()));
    } else {
        // Standard error is the only place where a failure could be reported.
        let _ = error.print();
    }
    ExitCode::from(exit_code::ERROR)
}

fn report_localized_arguments(error: &clap::Error, words: Messages) -> ExitCode {
    let text = localized_help::render(error, words);
    if error.use_stderr() {
        eprint!("{}", sanitize_lines(&text));
        return ExitCode::from(exit_code::ERROR);
    }
    match print_bytes(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => report(&cause.into(), words),
    }
}

/// Formats named values, one per line.
pub(crate) fn fields_text(fields: &[(&str, String)], words: Messages) -> String {
    let names: Vec<String> = fields.iter().map(|(name, _)| words.phrase(name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0) + 2;
    let lines = names.iter().zip(fields);
    lines
        .map(|(name, (_, value))| format!("{name:width$}{value}\n"))
        .collect()
}
