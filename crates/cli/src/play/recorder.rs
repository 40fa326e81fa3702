//! Writes the record of a game, whole, after every move: whatever ends papan, what
//! was played is there.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use papan_catalog::AnyLine;
use papan_rules::{Outcome, RecordResult};

pub(crate) struct Recorder {
    path: PathBuf,
    players: [String; 2],
}

impl Recorder {
    pub(crate) fn new(path: &Path, players: [String; 2]) -> Self {
        Self {
            path: path.into(),
            players,
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
        // A neighbour that is renamed over the old one: a reader never sees half.
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = self.path.with_file_name(name);
        std::fs::write(&part, record.to_string())
            .and_then(|()| std::fs::rename(&part, &self.path))
            .with_context(|| format!("cannot write the record {}", self.path.display()))
    }
}
