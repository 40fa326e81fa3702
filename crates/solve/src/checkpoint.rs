//! What a search for a value remembers, in a file: it can be stopped, and go on later.
//!
//! ```text
//! papan search 1
//! game tictactoe:4x4x4
//! position ---- … X
//! tables 4
//! ```
//!
//! then the tables, compressed: for each, how many entries (8 bytes), and the entries
//! (a key of 8 bytes, two numbers of 4), lowest byte first; then a checksum as in
//! certificates. Nothing in it is believed as a proof: certificates are made, and
//! checked, when the search ends.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::certificate::envelope::checksum;

/// One table: keys, and the numbers of proof and disproof.
pub(crate) type Entries = Vec<(u64, u32, u32)>;

/// What a search remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchCheckpoint {
    pub(crate) tables: [Entries; 4],
}

/// Why a file cannot be gone on from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Something else.
    #[error("this is not a search that papan was stopped in")]
    NotASearch,
    /// Cut or changed.
    #[error("the file was cut off or changed: its checksum is wrong")]
    Changed,
    /// A search of something else.
    #[error("the search is of {found}, not of {wanted}")]
    Other {
        /// What it says.
        found: String,
        /// What it should say.
        wanted: String,
    },
}

const KIND: &str = "papan search 1\n";
const SUM: usize = 8;
/// No search remembers more bytes.
const MOST_BYTES: usize = 4_usize.saturating_mul(1 << 30);

impl SearchCheckpoint {
    /// The file, for a search from a position of a game.
    #[must_use]
    pub fn to_bytes(&self, game: &str, position: &str) -> Vec<u8> {
        let mut plain = Vec::new();
        for table in &self.tables {
            plain.extend((table.len() as u64).to_le_bytes());
            for &(key, pn, dn) in table {
                plain.extend(key.to_le_bytes());
                plain.extend(pn.to_le_bytes());
                plain.extend(dn.to_le_bytes());
            }
        }
        let header = format!("{KIND}game {game}\nposition {position}\ntables 4\n");
        let mut bytes = header.into_bytes();
        bytes.extend(compress_to_vec(&plain, 3));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// What the file says of a search from this position of this game.
    ///
    /// # Errors
    /// When it is no such file, damaged, or of something else.
    pub fn parse(bytes: &[u8], game: &str, position: &str) -> Result<Self, CheckpointError> {
        let rest = bytes.strip_prefix(KIND.as_bytes());
        let rest = rest.ok_or(CheckpointError::NotASearch)?;
        let at = bytes
            .len()
            .checked_sub(SUM)
            .ok_or(CheckpointError::Changed)?;
        if rest.len() < SUM || checksum(&bytes[..at]).to_le_bytes() != bytes[at..] {
            return Err(CheckpointError::Changed);
        }
        let mut lines = rest[..rest.len() - SUM].splitn(4, |&byte| byte == b'\n');
        let mut line = || lines.next().map(String::from_utf8_lossy);
        let found = [line(), line()].map(|l| l.map_or_else(String::new, |l| l.into_owned()));
        let wanted = [format!("game {game}"), format!("position {position}")];
        if found != wanted {
            return Err(CheckpointError::Other {
                found: found.join(", "),
                wanted: wanted.join(", "),
            });
        }
        let _tables = lines.next();
        let packed = lines.next().unwrap_or_default();
        let plain = decompress_to_vec_with_limit(packed, MOST_BYTES);
        let plain = plain.map_err(|_| CheckpointError::Changed)?;
        Self::tables(&plain).ok_or(CheckpointError::Changed)
    }

    fn tables(mut plain: &[u8]) -> Option<Self> {
        let mut memory = Self::default();
        for table in &mut memory.tables {
            let count = u64::from_le_bytes(*plain.split_off(..8)?.first_chunk()?);
            let entries = plain.split_off(..usize::try_from(count).ok()?.checked_mul(16)?)?;
            table.extend(entries.chunks_exact(16).map(|entry| {
                let half = |at: usize| {
                    let bytes: [u8; 4] = std::array::from_fn(|i| entry[at + i]);
                    u32::from_le_bytes(bytes)
                };
                let key = u64::from(half(4)) << 32 | u64::from(half(0));
                (key, half(8), half(12))
            }));
        }
        plain.is_empty().then_some(memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_read_again_and_damage_is_found() {
        let mut memory = SearchCheckpoint::default();
        memory.tables[1] = vec![(7, 0, u32::MAX / 4), (u64::MAX, 3, 4)];
        memory.tables[3] = vec![(1 << 40, 1, 0)];
        let bytes = memory.to_bytes("tictactoe", "--------- X");
        let read = |bytes: &[u8]| SearchCheckpoint::parse(bytes, "tictactoe", "--------- X");
        assert_eq!(read(&bytes), Ok(memory));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(read(&changed).is_err(), "byte {at}");
            assert!(read(&bytes[..at]).is_err(), "cut at {at}");
        }
        let other = SearchCheckpoint::parse(&bytes, "tictactoe", "X-------- O");
        assert!(matches!(other, Err(CheckpointError::Other { .. })));
    }
}
