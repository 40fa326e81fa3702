//! A conversation in which everything is written down.

use std::fmt::Display;
use std::time::{Duration, Instant};

use super::{CheckResult, Compliance};
use crate::engine_command::EngineCommand;
use crate::process::{LineProcess, ProcessError, StartError};

/// A conversation with an engine.
pub(super) struct Transcript<'a> {
    command: &'a EngineCommand,
    process: LineProcess,
    patience: Duration,
    trials: Vec<CheckResult>,
}

impl<'a> Transcript<'a> {
    pub(super) fn begin(
        command: &'a EngineCommand,
        patience: Duration,
    ) -> Result<Self, StartError> {
        Ok(Self {
            process: command.process()?,
            command,
            patience,
            trials: Vec::new(),
        })
    }

    pub(super) fn end(self) -> (LineProcess, Vec<CheckResult>) {
        (self.process, self.trials)
    }

    /// Goes on with a new process; the old one where it does not start again.
    pub(super) fn start_again(&mut self) {
        if let Ok(process) = self.command.process() {
            self.process = process;
        }
    }

    /// Writes down what was tried, what was done, and how that was.
    pub(super) fn note(&mut self, what: &str, said: &str, did: &str, keeping: Compliance) {
        let short = |text: &str| -> String {
            let text = text.trim_end().replace("\r\n", "\n").replace('\n', " / ");
            let printable = text.chars().filter(|c| !c.is_control());
            printable.take(100).collect()
        };
        self.trials.push(CheckResult {
            what: what.into(),
            said: short(said),
            did: short(did),
            keeping,
        });
    }

    /// Says something, waits for the answer and writes down how it is.
    pub(super) fn ask<T: Display>(
        &mut self,
        what: &str,
        say: &str,
        hear: impl FnOnce(&mut Self) -> Result<T, ProcessError>,
        judge: impl FnOnce(&T) -> Compliance,
    ) -> Option<T> {
        self.send(say);
        match hear(self) {
            Ok(answer) => {
                let keeping = judge(&answer);
                self.note(what, say, &answer.to_string(), keeping);
                Some(answer)
            }
            Err(fault) => {
                self.note(what, say, &fault.to_string(), Compliance::Broken);
                None
            }
        }
    }

    pub(super) fn send(&mut self, text: &str) {
        // An engine that does not read shows itself by not answering.
        let _ = self.process.send(text, Instant::now() + self.patience);
    }

    /// Reads lines until one is wanted.
    pub(super) fn hear<T>(
        &mut self,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ProcessError> {
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.process.line(deadline)?;
            if let Some(found) = wanted(&line) {
                return Ok(found);
            }
        }
    }
}
