//! Compliance check: tests whether an engine follows its protocol, as `fastchess --compliance`
//! does for UCI.
//!
//! Every check sends commands, states the expected behaviour and records the observed one.
//! The last checks are whole games against a random mover.

mod games;
mod gtp;
mod nboard;
mod piskvork;
mod transcript;
mod ugi;

use std::time::{Duration, Instant};

use papan_catalog::AnyGame;

use crate::engine_command::{EngineCommand, Protocol};
use crate::process::{LineProcess, ProcessError, StartError};
use transcript::Transcript;

/// Whether an engine follows a rule of its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compliance {
    /// It does.
    Satisfied,
    /// It does not.
    Violated,
    /// The feature is optional and not supported.
    Unsupported,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The expected behaviour.
    pub expectation: String,
    /// The commands sent to the engine.
    pub sent: String,
    /// The observed behaviour.
    pub observed: String,
    /// Whether the observed behaviour is the expected one.
    pub compliance: Compliance,
}

/// Checks an engine; `timeout` is the limit for every answer.
///
/// # Errors
/// When the engine cannot be started.
pub fn check(
    command: &EngineCommand,
    game: &AnyGame,
    timeout: Duration,
) -> Result<Vec<CheckResult>, StartError> {
    // `move:` has no commands besides the position, which the games check.
    if command.protocol == Protocol::PositionLine {
        return Ok(games::play_both_seats(command, game, timeout));
    }
    let mut transcript = Transcript::begin(command, timeout)?;
    match command.protocol {
        Protocol::Gtp => gtp::check(&mut transcript),
        Protocol::Ugi => ugi::check(&mut transcript),
        Protocol::Piskvork => piskvork::check(&mut transcript, game),
        Protocol::NBoard => nboard::check(&mut transcript),
        Protocol::PositionLine => {}
    }
    let (process, mut results) = transcript.end();
    results.push(check_quit(process, command.protocol, timeout));
    results.extend(games::play_both_seats(command, game, timeout));
    Ok(results)
}

fn satisfied_if(condition: bool) -> Compliance {
    if condition {
        Compliance::Satisfied
    } else {
        Compliance::Violated
    }
}

/// Checks that the quit command ends the process.
fn check_quit(mut process: LineProcess, protocol: Protocol, timeout: Duration) -> CheckResult {
    let command = protocol.quit_command();
    let deadline = Instant::now() + timeout;
    let mut read = process.send(command, deadline).map(|()| String::new());
    while read.is_ok() {
        read = process.line(deadline);
    }
    let error = read.expect_err("the loop ends with an error");
    CheckResult {
        expectation: format!("`{}` ends the engine", command.trim()),
        sent: command.trim().into(),
        compliance: satisfied_if(matches!(error, ProcessError::Exited { .. })),
        observed: error.to_string(),
    }
}
