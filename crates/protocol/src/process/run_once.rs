//! Runs a command to its end, such as a compiler, inside the limits of a sandbox.

use std::time::{Duration, Instant};

use super::{LineProcess, ProcessError};
use crate::engine_settings::EngineSettings;

/// Lines of the output that an error repeats.
const MAX_LINES: usize = 5;

/// Runs a command until it ends. Its output is dropped.
///
/// # Errors
/// When it does not start, fails, or takes longer than `timeout`; with its first error lines.
pub fn run_once(command: &str, settings: &EngineSettings, timeout: Duration) -> Result<(), String> {
    let mut process =
        LineProcess::start(command, settings, "").map_err(|error| error.to_string())?;
    let deadline = Instant::now() + timeout;
    let mut output = Vec::new();
    let end = loop {
        match process.line(deadline) {
            Ok(line) if output.len() < MAX_LINES => output.push(line),
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    // A compiler that closes its output may still be writing its file.
    let status = match end {
        ProcessError::Exited { .. } => process.wait_until(deadline),
        ref error => return Err(format!("{error} within {} s", timeout.as_secs())),
    };
    if status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    process.drain_errors();
    let errors = String::from_utf8_lossy(&process.stderr_tail).into_owned();
    let lines = errors.lines().chain(output.iter().map(String::as_str));
    let said: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    // The tail of a long output may begin in the middle of a line.
    let first = said
        .iter()
        .position(|line| line.contains("error"))
        .unwrap_or(0);
    let said = said[first..].iter().take(MAX_LINES).copied();
    let status = status.map_or_else(|| "it did not end".into(), |status| status.to_string());
    Err(format!(
        "{status}: {}",
        said.collect::<Vec<_>>().join(" / ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_fails_or_takes_too_long() {
        let run = |command: &str, seconds: f64| {
            let timeout = Duration::from_secs_f64(seconds);
            run_once(command, &EngineSettings::default(), timeout)
        };
        assert_eq!(run("sh -c 'echo much; exit 0'", 20.0), Ok(()));
        let failed = run("sh -c 'echo a.c:1: error: wrong >&2; exit 3'", 20.0).unwrap_err();
        assert_eq!(failed, "exit status: 3: a.c:1: error: wrong");
        assert!(run("sleep 30", 0.2).unwrap_err().starts_with("no answer"));
        assert!(run("no-such-compiler", 20.0).is_err());
    }
}
