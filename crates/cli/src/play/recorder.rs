//! Writes the record of a game after every move, so that it survives a crash.

use std::path::{Path, PathBuf};

use papan_catalog::AnyLine;
use papan_rules::{Outcome, RecordResult, SwapOpening};
use papan_view::{Messages, messages};

use crate::output;

/// The result of a game that did not end by the rules.
#[derive(Clone, Copy)]
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    pub(crate) reason: &'static str,
}

/// Writes the record of a game to a file, or to standard output at the end of the game.
pub(crate) struct Recorder {
    path: PathBuf,
    pub(crate) players: [String; 2],
    /// The swap opening, as far as it has gone.
    pub(crate) opening: Option<SwapOpening>,
    words: Messages,
}

impl Recorder {
    pub(crate) fn new(path: &Path, players: [String; 2], words: Messages) -> Self {
        Self {
            path: path.into(),
            players,
            opening: None,
            words,
        }
    }

    fn record(&self, line: &dyn AnyLine, verdict: Option<Verdict>) -> String {
        let mut record = line.record(self.players.clone());
        record.opening = self.opening;
        if let Some(verdict) = verdict {
            record.result = RecordResult::Finished(verdict.outcome);
            record.reason = Some(verdict.reason.into());
        }
        record.to_string()
    }

    /// Replaces the file by the record of the game so far.
    pub(crate) fn update(
        &self,
        line: &dyn AnyLine,
        verdict: Option<Verdict>,
    ) -> anyhow::Result<()> {
        if output::is_standard(&self.path) {
            return Ok(());
        }
        let record = self.record(line, verdict);
        papan_files::write_atomic(&self.path, record.as_bytes()).map_err(|error| {
            let file = self.path.display().to_string();
            let reason = messages::file(self.words, &error);
            let values = [("file", file.into()), ("reason", reason.into())];
            anyhow::Error::msg(self.words.with("record-not-written", values))
        })
    }

    /// Prints the record of the whole game if it goes to standard output.
    pub(crate) fn finish(
        &self,
        line: &dyn AnyLine,
        verdict: Option<Verdict>,
    ) -> std::io::Result<()> {
        if output::is_standard(&self.path) {
            output::print_bytes(self.record(line, verdict).as_bytes())?;
        }
        Ok(())
    }
}
