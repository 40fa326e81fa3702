//! Journal of the leaves of one job-level search, so that an interrupted search continues.
//!
//! ```text
//! papan leaves 1
//! game tictactoe:15x15:5
//! position --- … X
//! jobs open
//! ```
//!
//! then records: the lengths of a job and of its result (4 bytes each, little-endian), the job and the
//! result. Once the query is answered, one record with its result replaces all others, and their number
//! is in the line `jobs`. A record that is cut off is dropped. The journal
//! is no evidence; certificates are checked. It is synced once for each batch of results, since the job
//! server keeps results for some days only, and loses them with its disk.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use papan_analysis::leaf::LeafRecord;

use crate::output;

const KIND: &str = "papan leaves 1";
/// Length of the two numbers before a record.
const LENGTHS: usize = 8;

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
            bytes = header(game, position, None);
            file.write_all(&bytes)?;
        }
        let expected = header(game, position, None);
        let fixed = &expected[..expected.len() - "open\n".len()];
        let rest = bytes.strip_prefix(fixed).with_context(|| {
            format!(
                "this is not a journal of leaves of {game} from {position}; remove it to start anew"
            )
        })?;
        let end = rest.iter().position(|&byte| byte == b'\n');
        let jobs = end.and_then(|end| std::str::from_utf8(&rest[..end]).ok());
        let replaced = match jobs {
            Some("open") => Some(None),
            Some(number) => number.parse().ok().map(Some),
            None => None,
        };
        let (Some(end), Some(replaced)) = (end, replaced) else {
            anyhow::bail!(
                "line 4 must be \"jobs open\" or a number; remove the file to start anew"
            );
        };
        let mut at = fixed.len() + end + 1;
        let mut records = Vec::new();
        while let Some((record, length)) = record(&bytes[at..]) {
            records.push(record);
            at += length;
        }
        file.set_len(at as u64)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self {
            path: path.into(),
            file,
            game: game.into(),
            position: position.into(),
            replaced,
            records,
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
        let bytes: Vec<u8> = records.iter().flat_map(encoded).collect();
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }

    /// Deletes the file: what it is for is done.
    pub(crate) fn remove(self) -> io::Result<()> {
        // Windows deletes no file that is open.
        drop(self.file);
        std::fs::remove_file(&self.path)
    }

    /// Replaces all records, of this number of jobs, by the result of the query.
    pub(crate) fn conclude(&self, jobs: usize, answer: &LeafRecord) -> anyhow::Result<()> {
        let mut bytes = header(&self.game, &self.position, Some(jobs));
        bytes.extend(encoded(answer));
        output::write_file(&self.path, &bytes)
    }
}

fn header(game: &str, position: &str, jobs: Option<usize>) -> Vec<u8> {
    let jobs = jobs.map_or_else(|| "open".into(), |jobs| jobs.to_string());
    format!("{KIND}\ngame {game}\nposition {position}\njobs {jobs}\n").into_bytes()
}

fn encoded((job, result): &LeafRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LENGTHS + job.len() + result.len());
    for length in [job.len(), result.len()] {
        bytes.extend((length as u32).to_le_bytes());
    }
    bytes.extend(job.as_bytes());
    bytes.extend(result);
    bytes
}

/// Reads a record and its length; `None` at the end or where it is cut off.
fn record(bytes: &[u8]) -> Option<(LeafRecord, usize)> {
    let (lengths, rest) = bytes.split_at_checked(LENGTHS)?;
    let number = |at: usize| {
        let bytes: [u8; 4] = std::array::from_fn(|i| lengths[at + i]);
        u32::from_le_bytes(bytes) as usize
    };
    let (job, rest) = rest.split_at_checked(number(0))?;
    let (result, _) = rest.split_at_checked(number(4))?;
    let length = LENGTHS + job.len() + result.len();
    let job = std::str::from_utf8(job).ok()?.to_owned();
    Some(((job, result.to_vec()), length))
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
