//! Writes the record of a game, whole, after every move: whatever ends papan, what
//! was played is there.

use std::path::{Path, PathBuf};

use papan_catalog::AnyLine;
use papan_rules::{Outcome, RecordResult};
use papan_view::{Messages, messages};

pub(crate) struct Recorder {
    path: PathBuf,
    players: [String; 2],
    words: Messages,
}

impl Recorder {
    pub(crate) fn new(path: &Path, players: [String; 2], words: Messages) -> Self {
        Self {
            path: path.into(),
            players,
            words,
        }
    }

    /// Writes the record; `verdict` is how the game ended if it was not by the rules.
    pub(crate) fn write(
        &self,
        line: &dyn AnyLine,
        verdict: Option<(Outcome, &str)>,
    ) -> anyhow::Result<()> {
        let mut record = line.record(self.players.clone());
        if let Some((outcome, reason)) = verdict {
            record.result = RecordResult::Finished(outcome);
            record.reason = Some(reason.into());
        }
        papan_files::write_atomic(&self.path, record.to_string().as_bytes()).map_err(|error| {
            let file = self.path.display().to_string();
            let reason = messages::file(self.words, &error);
            let values = [("file", file.into()), ("reason", reason.into())];
            anyhow::Error::msg(self.words.with("record-not-written", values))
        })
    }
}
