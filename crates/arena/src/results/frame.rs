//! Record framing: each record follows its length and checksum.

use std::io::Read;

use crc32fast::hash as crc32;

/// Bytes before a record: its length and its checksum.
pub(super) const FRAME: usize = 8;
/// A record is small; a length beyond this is damage.
const MAX_RECORD_LEN: usize = 1 << 20;
/// Writes a record behind its frame.
///
/// # Panics
/// When the record is empty or longer than a mebibyte.
pub(super) fn write(record: &[u8], out: &mut Vec<u8>) {
    assert!(
        !record.is_empty() && record.len() <= MAX_RECORD_LEN,
        "a record has 1 to {MAX_RECORD_LEN} bytes"
    );
    let length = record.len() as u32;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&crc32(record).to_le_bytes());
    out.extend_from_slice(record);
}

/// Reads the next record; `false` if there is no valid one.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn read(reader: &mut impl Read, record: &mut Vec<u8>) -> std::io::Result<bool> {
    let mut frame = [0; FRAME];
    if !filled(reader, &mut frame)? {
        return Ok(false);
    }
    let (length, checksum) = (word(&frame[..4]) as usize, word(&frame[4..]));
    // A record is never empty, so that a hole of zeros is no record.
    if length == 0 || length > MAX_RECORD_LEN {
        return Ok(false);
    }
    record.resize(length, 0);
    Ok(filled(reader, record)? && crc32(record) == checksum)
}

/// A part of a journal that was unreadable and is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedRange {
    /// Where it began.
    pub offset: u64,
    /// How long it was.
    pub bytes: u64,
}

/// Damage between records.
pub(super) struct Survey {
    /// Where the last readable record ends.
    pub(super) end: u64,
    /// Unreadable parts before it.
    pub(super) damage: Vec<DamagedRange>,
    /// Bytes after it.
    pub(super) tail: u64,
    /// Whether they are a write that was cut short.
    pub(super) tail_is_torn: bool,
}

impl Survey {
    /// Surveys the rest of a file from an offset at which a record is unreadable.
    pub(super) fn of(rest: &[u8], from: u64) -> Self {
        let mut damage = Vec::new();
        let (mut end, mut at) = (0, 0);
        while at < rest.len() {
            match sound_record(&rest[at..]) {
                Some(bytes) => {
                    if at > end {
                        damage.push(DamagedRange {
                            offset: from + end as u64,
                            bytes: (at - end) as u64,
                        });
                    }
                    at += bytes;
                    end = at;
                }
                None => at += 1,
            }
        }
        let tail = &rest[end..];
        Self {
            end: from + end as u64,
            damage,
            tail: tail.len() as u64,
            tail_is_torn: is_torn(tail),
        }
    }
}

/// Fills the buffer; `false` when the file ends before it is full.
fn filled(reader: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("4 bytes"))
}

/// The length, frame and all, of the readable record that these bytes begin with.
fn sound_record(bytes: &[u8]) -> Option<usize> {
    let (frame, rest) = bytes.split_at_checked(FRAME)?;
    let length = word(&frame[..4]) as usize;
    let record = rest
        .get(..length)
        .filter(|_| (1..=MAX_RECORD_LEN).contains(&length))?;
    (crc32(record) == word(&frame[4..])).then_some(FRAME + length)
}

/// Returns whether unreadable bytes at the end are a torn write: an incomplete frame or record, or
/// a hole of zeros. A complete record with a wrong length is not.
fn is_torn(tail: &[u8]) -> bool {
    let Some((frame, rest)) = tail.split_at_checked(FRAME) else {
        return true;
    };
    let length = word(&frame[..4]) as usize;
    let cut_short = (1..=MAX_RECORD_LEN).contains(&length) && rest.len() < length;
    let all_there = crc32(rest) == word(&frame[4..]);
    tail.iter().all(|&byte| byte == 0) || (cut_short && !all_there)
}
