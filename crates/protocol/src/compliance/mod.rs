//! Does an engine keep to its protocol? What is tried, and what it does.

mod conversations;
mod games;
mod transcript;

use std::time::{Duration, Instant};

use papan_catalog::AnyGame;

use crate::engine_command::{EngineCommand, Protocol};
use crate::process::{LineProcess, ProcessError, StartError};
use transcript::Transcript;

/// How an engine keeps to a rule of its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compliance {
    /// As it should be.
    Kept,
    /// Not as it should be.
    Broken,
    /// It does not do this, and does not have to.
    Absent,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// What was tried, and what the engine should do.
    pub what: String,
    /// What was said to it.
    pub said: String,
    /// What it did.
    pub did: String,
    /// Whether that is how it should be.
    pub keeping: Compliance,
}

/// Tries an engine. `patience` is how long any answer may take.
///
/// # Errors
/// When it does not start at all.
pub fn check(
    command: &EngineCommand,
    game: &AnyGame,
    patience: Duration,
) -> Result<Vec<CheckResult>, StartError> {
    let mut talk = Transcript::begin(command, patience)?;
    match command.protocol {
        Protocol::Gtp => conversations::gtp(&mut talk),
        Protocol::Ugi => conversations::ugi(&mut talk),
        Protocol::Piskvork => conversations::piskvork(&mut talk, game),
        Protocol::NBoard => conversations::nboard(&mut talk),
    }
    let (process, mut trials) = talk.end();
    trials.push(leaves(process, command.protocol, patience));
    trials.extend(games::play_both_seats(command, game, patience));
    Ok(trials)
}

/// Whether it leaves when it is told to.
fn leaves(mut process: LineProcess, protocol: Protocol, patience: Duration) -> CheckResult {
    let goodbye = protocol.goodbye();
    let deadline = Instant::now() + patience;
    let sent = process.send(goodbye, deadline);
    let did = loop {
        match sent.clone().and_then(|()| process.line(deadline)) {
            Ok(_) => {}
            Err(fault) => break fault,
        }
    };
    CheckResult {
        what: format!("`{}` makes it leave", goodbye.trim()),
        said: goodbye.trim().into(),
        keeping: match did {
            ProcessError::Ended { .. } => Compliance::Kept,
            _ => Compliance::Broken,
        },
        did: did.to_string(),
    }
}
