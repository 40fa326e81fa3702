//! What certificates of all versions have in common: the kind in their first line, the
//! sum in their last, and named lines between them.

use super::CheckError;

/// What the first line of every certificate begins with.
pub(crate) const KIND: &str = "papan certificate";

const CHECKSUM: &[u8] = b"checksum ";
/// `checksum `, 16 digits and a line feed.
const CHECKSUM_LINE: usize = CHECKSUM.len() + 16 + 1;

/// A number that changes whenever a single byte does, for certain, and almost
/// certainly when several do (FNV-1a, 64 bits).
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    papan_rules::fnv::fnv1a(bytes)
}

/// All before the last line, which has the sum of it.
pub(crate) fn strip_checksum(bytes: &[u8]) -> Result<&[u8], CheckError> {
    let at = bytes.len().checked_sub(CHECKSUM_LINE);
    let (body, last) = bytes.split_at(at.ok_or(CheckError::Truncated)?);
    if !last.starts_with(CHECKSUM) || !last.ends_with(b"\n") {
        return Err(CheckError::Truncated);
    }
    let sum = format!("{:016x}", checksum(body));
    match last[CHECKSUM.len()..last.len() - 1] == *sum.as_bytes() {
        true => Ok(body),
        false => Err(CheckError::ChecksumMismatch),
    }
}

/// The lines of a header, and what follows them.
pub(crate) struct HeaderLines<'a> {
    pub(crate) rest: &'a [u8],
    number: usize,
}

impl<'a> HeaderLines<'a> {
    /// Those after the first, which tells the kind and the version.
    pub(crate) fn after_first(body: &'a [u8]) -> Self {
        let end = body.iter().position(|&byte| byte == b'\n');
        Self {
            rest: end.map_or(&[], |end| &body[end + 1..]),
            number: 1,
        }
    }

    /// The next line.
    pub(crate) fn next(&mut self, expected: &'static str) -> Result<&'a str, CheckError> {
        self.number += 1;
        let wrong = || self.wrong(expected);
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(wrong)?;
        let line = std::str::from_utf8(&self.rest[..end]).map_err(|_| wrong())?;
        self.rest = &self.rest[end + 1..];
        Ok(line)
    }

    /// What stands after this name in the next line.
    pub(crate) fn field(&mut self, name: &'static str) -> Result<&'a str, CheckError> {
        let line = self.next(name)?;
        let value = line.strip_prefix(name).and_then(|v| v.strip_prefix(' '));
        value.ok_or_else(|| self.wrong(name))
    }

    /// The line that was read last should have been something else.
    pub(crate) fn wrong(&self, expected: &'static str) -> CheckError {
        CheckError::Line {
            line: self.number,
            expected,
        }
    }
}
