//! Transcript: a conversation with an engine and the results of its checks.

use std::fmt::Display;
use std::time::{Duration, Instant};

use super::{CheckResult, Compliance};
use crate::engine_command::EngineCommand;
use crate::process::{LineProcess, ProcessError, StartError};

/// A conversation with an engine and the checks made in it.
pub(super) struct Transcript<'a> {
    command: &'a EngineCommand,
    process: LineProcess,
    timeout: Duration,
    results: Vec<CheckResult>,
}

impl<'a> Transcript<'a> {
    pub(super) fn begin(command: &'a EngineCommand, timeout: Duration) -> Result<Self, StartError> {
        Ok(Self {
            process: command.process()?,
            command,
            timeout,
            results: Vec::new(),
        })
    }

    pub(super) fn end(self) -> (LineProcess, Vec<CheckResult>) {
        (self.process, self.results)
    }

    /// Replaces the process by a new one, if that starts.
    pub(super) fn restart(&mut self) {
        if let Ok(process) = self.command.process() {
            self.process = process;
        }
    }

    /// Records the result of a check.
    pub(super) fn record(
        &mut self,
        expectation: &str,
        sent: &str,
        observed: &str,
        compliance: Compliance,
    ) {
        let short = |text: &str| -> String {
            let text = text.trim_end().replace("\r\n", "\n").replace('\n', " / ");
            let printable = text.chars().filter(|c| !c.is_control());
            printable.take(100).collect()
        };
        self.results.push(CheckResult {
            expectation: expectation.into(),
            sent: short(sent),
            observed: short(observed),
            compliance,
        });
    }

    /// Sends `commands`, reads the answer and records whether it is as expected.
    pub(super) fn check<T: Display>(
        &mut self,
        expectation: &str,
        commands: &str,
        read: impl FnOnce(&mut Self) -> Result<T, ProcessError>,
        judge: impl FnOnce(&T) -> Compliance,
    ) -> Option<T> {
        self.send(commands);
        match read(self) {
            Ok(answer) => {
                let compliance = judge(&answer);
                self.record(expectation, commands, &answer.to_string(), compliance);
                Some(answer)
            }
            Err(error) => {
                let observed = error.to_string();
                self.record(expectation, commands, &observed, Compliance::Violated);
                None
            }
        }
    }

    pub(super) fn send(&mut self, text: &str) {
        // A failure shows as a missing answer.
        let _ = self.process.send(text, Instant::now() + self.timeout);
    }

    /// Reads lines until `parse` accepts one.
    pub(super) fn read<T>(&mut self, parse: impl Fn(&str) -> Option<T>) -> Result<T, ProcessError> {
        let deadline = Instant::now() + self.timeout;
        loop {
            let line = self.process.line(deadline)?;
            if let Some(found) = parse(&line) {
                return Ok(found);
            }
        }
    }
}
