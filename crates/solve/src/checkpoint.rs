//! Checkpoints of a value search: its transposition tables in a file, so that it can be stopped and
//! resumed.
//!
//! ```text
//! papan search 1
//! game tictactoe:4x4x4
//! position ---- … X
//! tables 4
//! ```
//!
//! then the tables, compressed with DEFLATE: for each the number of entries (8 bytes) and the
//! entries (a key of 8 bytes, proof number and disproof number of 4 bytes), little-endian; then an
//! FNV-1a checksum. A checkpoint is not evidence: the certificate is written and checked when the
//! search ends.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use papan_mnk::TableEntry;

use crate::certificate::envelope::checksum;

/// The tables of a value search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchCheckpoint {
    pub(crate) tables: [Vec<TableEntry>; 4],
}

/// Why a search cannot be resumed from a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The file is not a checkpoint.
    #[error("this is not a search checkpoint of papan")]
    NotACheckpoint,
    /// The file is truncated or modified.
    #[error("the file was cut off or changed: its checksum is wrong")]
    Damaged,
    /// A checkpoint of another position.
    #[error("the checkpoint is for {found}, not for {wanted}")]
    Other {
        /// Game and position in the file.
        found: String,
        /// Game and position to resume.
        wanted: String,
    },
}

const KIND: &str = "papan search 1\n";
/// For boards whose sides are not in increasing order, which version 1 searched in their own
/// orientation and not on their side.
const TURNED_KIND: &str = "papan search 2\n";
/// Length of the checksum in bytes.
const SUM: usize = 8;
/// Maximum decompressed size.
const MAX_BYTES: usize = 4_usize.saturating_mul(1 << 30);

/// Returns the first line of the checkpoints of a game.
fn kind(game: &str) -> &'static str {
    let sides = game.split(':').nth(1).unwrap_or("").split('x');
    let sides: Vec<usize> = sides.filter_map(|side| side.parse().ok()).collect();
    if sides.is_sorted() { KIND } else { TURNED_KIND }
}

impl SearchCheckpoint {
    /// Encodes a checkpoint of a search from a position of a game.
    #[must_use]
    pub fn to_bytes(&self, game: &str, position: &str) -> Vec<u8> {
        let mut plain = Vec::new();
        for table in &self.tables {
            plain.extend((table.len() as u64).to_le_bytes());
            for &TableEntry { key, pn, dn } in table {
                plain.extend(key.to_le_bytes());
                plain.extend(pn.to_le_bytes());
                plain.extend(dn.to_le_bytes());
            }
        }
        let kind = kind(game);
        let header = format!("{kind}game {game}\nposition {position}\ntables 4\n");
        let mut bytes = header.into_bytes();
        bytes.extend(compress_to_vec(&plain, 3));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Decodes a checkpoint of a search from this position of this game.
    ///
    /// # Errors
    /// If the file is not a checkpoint, is damaged, or belongs to another position.
    pub fn parse(bytes: &[u8], game: &str, position: &str) -> Result<Self, CheckpointError> {
        let after = |kind: &str| bytes.strip_prefix(kind.as_bytes());
        let rest = after(KIND).or_else(|| after(TURNED_KIND));
        let rest = rest.ok_or(CheckpointError::NotACheckpoint)?;
        let at = bytes
            .len()
            .checked_sub(SUM)
            .ok_or(CheckpointError::Damaged)?;
        if rest.len() < SUM || checksum(&bytes[..at]).to_le_bytes() != bytes[at..] {
            return Err(CheckpointError::Damaged);
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
        if !bytes.starts_with(kind(game).as_bytes()) {
            return Err(CheckpointError::NotACheckpoint);
        }
        let _tables = lines.next();
        let packed = lines.next().unwrap_or_default();
        let plain = decompress_to_vec_with_limit(packed, MAX_BYTES)
            .map_err(|_| CheckpointError::Damaged)?;
        Self::tables(&plain).ok_or(CheckpointError::Damaged)
    }

    fn tables(mut plain: &[u8]) -> Option<Self> {
        let mut checkpoint = Self::default();
        for table in &mut checkpoint.tables {
            let count = u64::from_le_bytes(*plain.split_off(..8)?.first_chunk()?);
            let entries = plain.split_off(..usize::try_from(count).ok()?.checked_mul(16)?)?;
            table.extend(entries.chunks_exact(16).map(|entry| {
                let word = |at: usize| {
                    let bytes: [u8; 4] = std::array::from_fn(|i| entry[at + i]);
                    u32::from_le_bytes(bytes)
                };
                TableEntry {
                    key: u64::from(word(4)) << 32 | u64::from(word(0)),
                    pn: word(8),
                    dn: word(12),
                }
            }));
        }
        plain.is_empty().then_some(checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_round_trips_and_damage_is_detected() {
        let entry = |key, pn, dn| TableEntry { key, pn, dn };
        let mut checkpoint = SearchCheckpoint::default();
        checkpoint.tables[1] = vec![entry(7, 0, u32::MAX / 4), entry(u64::MAX, 3, 4)];
        checkpoint.tables[3] = vec![entry(1 << 40, 1, 0)];
        let bytes = checkpoint.to_bytes("tictactoe", "--------- X");
        let read = |bytes: &[u8]| SearchCheckpoint::parse(bytes, "tictactoe", "--------- X");
        assert_eq!(read(&bytes), Ok(checkpoint));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(read(&changed).is_err(), "byte {at}");
            assert!(read(&bytes[..at]).is_err(), "cut at {at}");
        }
        let other = SearchCheckpoint::parse(&bytes, "tictactoe", "X-------- O");
        assert!(matches!(other, Err(CheckpointError::Other { .. })));
    }

    #[test]
    fn an_older_checkpoint_of_a_board_that_is_turned_is_refused() {
        let (game, position) = ("tictactoe:4x3", "------------ X");
        let bytes = SearchCheckpoint::default().to_bytes(game, position);
        assert!(bytes.starts_with(TURNED_KIND.as_bytes()));
        assert!(SearchCheckpoint::parse(&bytes, game, position).is_ok());
        let mut older = [KIND.as_bytes(), &bytes[TURNED_KIND.len()..]].concat();
        let end = older.len() - SUM;
        let sum = checksum(&older[..end]).to_le_bytes();
        older[end..].copy_from_slice(&sum);
        let read = SearchCheckpoint::parse(&older, game, position);
        assert_eq!(read, Err(CheckpointError::NotACheckpoint));
    }
}
