//! Journal of the leaves of one job-level search, so that an interrupted search continues.
//!
//! The format is that of [`papan_analysis::leaf_journal`]. The file is synced once for each batch of
//! results, since the job server keeps results for some days only, and loses them with its disk.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use papan_analysis::leaf::LeafRecord;
use papan_analysis::leaf_journal::{LeafJournalFile, encode, head};

use crate::output;

/// An open journal.
pub(crate) struct LeafJournal {
    path: PathBuf,
    file: File,
    game: String,
    position: String,
    /// The number of jobs, once their results are no longer in the file.
    replaced: Option<usize>,
    /// The records that were read.
    pub(crate) records: Vec<LeafRecord>,
    /// Records written since.
    added: usize,
}

impl LeafJournal {
    /// Opens the journal of a position, or begins it.
    ///
    /// # Errors
    /// If the file cannot be read, is the journal of another position, or is in use.
    pub(crate) fn open(path: &Path, game: &str, position: &str) -> anyhow::Result<Self> {
        Self::read(path, game, position).with_context(|| path.display().to_string())
    }

    fn read(path: &Path, game: &str, position: &str) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path)?;
        papan_os::try_lock(&file).map_err(|error| match error {
            TryLockError::WouldBlock => anyhow::anyhow!("another process writes this journal"),
            TryLockError::Error(cause) => cause.into(),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            bytes = head(game, position, None);
            file.write_all(&bytes)?;
        }
        let parsed = LeafJournalFile::parse(&bytes, game, position)?;
        file.set_len(parsed.length as u64)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self {
            path: path.into(),
            file,
            game: game.into(),
            position: position.into(),
            replaced: parsed.replaced,
            records: parsed.records,
            added: 0,
        })
    }

    /// Returns the number of jobs whose results are or were in the file, without records that were
    /// taken.
    pub(crate) fn jobs(&self) -> usize {
        self.replaced.unwrap_or(self.records.len() + self.added)
    }

    /// Appends records and syncs the file.
    pub(crate) fn append(&mut self, records: &[LeafRecord]) -> io::Result<()> {
        self.added += records.len();
        let bytes: Vec<u8> = records.iter().flat_map(encode).collect();
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }

    /// Deletes the file of a finished search.
    pub(crate) fn remove(self) -> io::Result<()> {
        // Windows deletes no file that is open.
        drop(self.file);
        std::fs::remove_file(&self.path)
    }

    /// Replaces all records, of this number of jobs, by the result of the query.
    pub(crate) fn conclude(&self, jobs: usize, answer: &LeafRecord) -> anyhow::Result<()> {
        let mut bytes = head(&self.game, &self.position, Some(jobs));
        bytes.extend(encode(answer));
        output::write_file(&self.path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_continues_after_a_cut_and_keeps_the_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h8.leaves");
        let open = || LeafJournal::open(&path, "tictactoe", "X-------- O");
        let records: Vec<LeafRecord> = vec![("one".into(), vec![0]), ("two".into(), vec![1, 2])];
        let mut journal = open().unwrap();
        journal.append(&records).unwrap();
        assert!(open().is_err(), "it is in use");
        drop(journal);
        assert_eq!(open().unwrap().records, records);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let mut journal = open().unwrap();
        assert_eq!(journal.records, records[..1]);
        journal.append(&records[1..]).unwrap();
        drop(journal);
        let journal = open().unwrap();
        assert_eq!((journal.jobs(), &journal.records), (2, &records));
        let answer = ("root".into(), vec![9]);
        journal.conclude(2, &answer).unwrap();
        drop(journal);
        let journal = open().unwrap();
        assert_eq!((journal.jobs(), &journal.records), (2, &vec![answer]));
        drop(journal);
        let other = LeafJournal::open(&path, "tictactoe", "--------- X");
        assert!(other.is_err_and(|error| format!("{error:#}").contains("remove it")));
        open().unwrap().remove().unwrap();
        assert!(!path.exists());
    }
}
