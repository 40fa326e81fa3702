//! Format of the journal of one job-level search, with which an interrupted search continues.
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
//! is in the line `jobs`. A record that is cut off is dropped. The journal is no evidence; certificates
//! are checked.

use crate::leaf::LeafRecord;

const KIND: &str = "papan leaves 1";
/// Length of the two numbers before a record.
const LENGTHS: usize = 8;

/// Error in a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeafJournalError {
    /// It is no journal, or that of another search.
    #[error("this is not a journal of leaves of {game} from {position}; remove it to start anew")]
    OtherSearch {
        /// The game of the search.
        game: String,
        /// Its position.
        position: String,
    },
    /// The number of jobs cannot be read.
    #[error("line 4 must be \"jobs open\" or a number; remove the file to start anew")]
    Jobs,
}

/// The contents of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafJournalFile {
    /// The number of jobs, once the result of the query has replaced theirs.
    pub replaced: Option<usize>,
    /// The records.
    pub records: Vec<LeafRecord>,
    /// The number of bytes up to the end of the last complete record.
    pub length: usize,
}

impl LeafJournalFile {
    /// Parses the journal of a search.
    ///
    /// # Errors
    /// If it is that of another search or its head is damaged.
    pub fn parse(bytes: &[u8], game: &str, position: &str) -> Result<Self, LeafJournalError> {
        let open = head(game, position, None);
        let fixed = &open[..open.len() - "open\n".len()];
        let rest = bytes.strip_prefix(fixed);
        let rest = rest.ok_or_else(|| LeafJournalError::OtherSearch {
            game: game.into(),
            position: position.into(),
        })?;
        let end = rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or(LeafJournalError::Jobs)?;
        let replaced = match std::str::from_utf8(&rest[..end]) {
            Ok("open") => None,
            Ok(number) => Some(number.parse().map_err(|_| LeafJournalError::Jobs)?),
            Err(_) => return Err(LeafJournalError::Jobs),
        };
        let mut length = fixed.len() + end + 1;
        let mut records = Vec::new();
        while let Some((record, size)) = decode(&bytes[length..]) {
            records.push(record);
            length += size;
        }
        Ok(Self {
            replaced,
            records,
            length,
        })
    }
}

/// Returns the beginning of a journal, before its records.
#[must_use]
pub fn head(game: &str, position: &str, replaced: Option<usize>) -> Vec<u8> {
    let jobs = replaced.map_or_else(|| "open".into(), |jobs| jobs.to_string());
    format!("{KIND}\ngame {game}\nposition {position}\njobs {jobs}\n").into_bytes()
}

/// Returns the bytes of a record.
#[must_use]
pub fn encode((job, result): &LeafRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LENGTHS + job.len() + result.len());
    for length in [job.len(), result.len()] {
        bytes.extend((length as u32).to_le_bytes());
    }
    bytes.extend(job.as_bytes());
    bytes.extend(result);
    bytes
}

/// Reads a record and its length; `None` at the end or where it is cut off.
fn decode(bytes: &[u8]) -> Option<(LeafRecord, usize)> {
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
