//! A conversation in which everything is written down.

use std::fmt::Display;
use std::time::{Duration, Instant};

use super::Trial;
use crate::process::{LineProcess, ProcessFault};

/// A conversation with an engine.
pub(super) struct Talk {
    process: LineProcess,
    patience: Duration,
    trials: Vec<Trial>,
}

impl Talk {
    pub(super) fn new(process: LineProcess, patience: Duration) -> Self {
        Self {
            process,
            patience,
            trials: Vec::new(),
        }
    }

    pub(super) fn end(self) -> (LineProcess, Vec<Trial>) {
        (self.process, self.trials)
    }

    /// Writes down what was tried, what was done, and whether that was right.
    pub(super) fn note(&mut self, what: &str, did: &str, kept: bool) {
        let did = did
            .trim_end()
            .replace('\n', " / ")
            .chars()
            .take(100)
            .collect();
        let what = what.into();
        self.trials.push(Trial { what, did, kept });
    }

    /// Says something, waits for the answer and writes down whether it is right.
    pub(super) fn ask<T: Display>(
        &mut self,
        what: &str,
        say: &str,
        hear: fn(&mut Self) -> Result<T, ProcessFault>,
        right: impl Fn(&T) -> bool,
    ) {
        self.send(say);
        match hear(self) {
            Ok(answer) => self.note(what, &answer.to_string(), right(&answer)),
            Err(fault) => self.note(what, &fault.to_string(), false),
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
    ) -> Result<T, ProcessFault> {
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.process.line(deadline)?;
            if let Some(found) = wanted(&line) {
                return Ok(found);
            }
        }
    }
}
