//! The envelope of both certificate versions: magic line, named header lines, checksum line.

use super::CheckError;

/// Start of the first line of every certificate.
pub(crate) const KIND: &str = "papan certificate";

const CHECKSUM: &[u8] = b"checksum ";
/// Length of the last line: `checksum `, 16 digits and a line feed.
const CHECKSUM_LINE: usize = CHECKSUM.len() + 16 + 1;

/// Returns the FNV-1a checksum (64 bits), which detects every change of a single byte.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    papan_rules::fnv::fnv1a(bytes)
}

/// Verifies the checksum in the last line and returns the bytes before it.
pub(crate) fn strip_checksum(bytes: &[u8]) -> Result<&[u8], CheckError> {
    let body_length = bytes
        .len()
        .checked_sub(CHECKSUM_LINE)
        .ok_or(CheckError::Truncated)?;
    let (body, last) = bytes.split_at(body_length);
    if !last.starts_with(CHECKSUM) || !last.ends_with(b"\n") {
        return Err(CheckError::Truncated);
    }
    let sum = format!("{:016x}", checksum(body));
    if last[CHECKSUM.len()..last.len() - 1] == *sum.as_bytes() {
        Ok(body)
    } else {
        Err(CheckError::ChecksumMismatch)
    }
}

/// Reader of header lines.
pub(crate) struct HeaderLines<'a> {
    /// The bytes after the lines read so far.
    pub(crate) rest: &'a [u8],
    /// Number of the last line read.
    number: usize,
}

impl<'a> HeaderLines<'a> {
    /// Starts after the first line, which holds the version.
    pub(crate) fn after_first(body: &'a [u8]) -> Self {
        let end = body.iter().position(|&byte| byte == b'\n');
        Self {
            rest: end.map_or(&[], |end| &body[end + 1..]),
            number: 1,
        }
    }

    /// Reads a line.
    pub(crate) fn next(&mut self, expected: &'static str) -> Result<&'a str, CheckError> {
        self.number += 1;
        let wrong = || self.wrong(expected);
        let end = self
            .rest
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or_else(wrong)?;
        let line = std::str::from_utf8(&self.rest[..end]).map_err(|_| wrong())?;
        self.rest = &self.rest[end + 1..];
        Ok(line)
    }

    /// Reads a line `name value` and returns the value.
    pub(crate) fn field(&mut self, name: &'static str) -> Result<&'a str, CheckError> {
        let line = self.next(name)?;
        let value = line.strip_prefix(name).and_then(|v| v.strip_prefix(' '));
        value.ok_or_else(|| self.wrong(name))
    }

    /// Returns the error for the last line read.
    pub(crate) fn wrong(&self, expected: &'static str) -> CheckError {
        CheckError::Line {
            line: self.number,
            expected,
        }
    }
}
