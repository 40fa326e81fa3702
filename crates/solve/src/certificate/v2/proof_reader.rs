//! Streaming decompression of proof bytes, in bounded memory.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use papan_strategies::Stopped;

use crate::certificate::{CheckError, ProofFault};

/// Size of the buffer. Progress is reported once for each.
const CHUNK: usize = 1 << 12;

/// Reader of a compressed proof.
pub(super) struct ProofReader<'a> {
    compressed: &'a [u8],
    state: Box<InflateState>,
    buffer: Vec<u8>,
    /// Bytes of the buffer that have been read.
    next: usize,
    /// Bytes of the buffer that are filled.
    filled: usize,
    /// Bytes read before this buffer.
    before: u64,
    ended: bool,
    /// Cost of the check so far, in lines examined or updated.
    pub(super) work: u64,
    /// Receives the number of bytes read, and can stop the check.
    report: Option<&'a mut dyn FnMut(u64) -> Result<(), Stopped>>,
}

impl<'a> ProofReader<'a> {
    pub(super) fn new(compressed: &'a [u8]) -> Self {
        Self {
            compressed,
            state: InflateState::new_boxed(DataFormat::Raw),
            buffer: vec![0; CHUNK],
            next: 0,
            filled: 0,
            before: 0,
            ended: false,
            work: 0,
            report: None,
        }
    }

    /// Reports the number of bytes read from time to time.
    pub(super) fn reporting_to(
        self,
        report: &'a mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Self {
        Self {
            report: Some(report),
            ..self
        }
    }

    /// Returns the number of bytes read.
    pub(super) fn at(&self) -> u64 {
        self.before + self.next as u64
    }

    /// Returns an error at this byte.
    pub(super) fn fault(&self, fault: ProofFault) -> CheckError {
        CheckError::Proof {
            at: self.at(),
            fault,
        }
    }

    fn refill(&mut self) -> Result<(), CheckError> {
        self.before += self.filled as u64;
        (self.next, self.filled) = (0, 0);
        if let Some(report) = &mut self.report {
            report(self.before)?;
        }
        while self.filled == 0 && !self.ended {
            let step = inflate(
                &mut self.state,
                self.compressed,
                &mut self.buffer,
                MZFlush::None,
            );
            self.compressed = &self.compressed[step.bytes_consumed..];
            self.filled = step.bytes_written;
            match step.status {
                Ok(MZStatus::StreamEnd) => self.ended = true,
                Ok(_) if step.bytes_consumed + step.bytes_written > 0 => {}
                _ => return Err(self.fault(ProofFault::Compression)),
            }
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, CheckError> {
        if self.next == self.filled {
            self.refill()?;
            if self.filled == 0 {
                return Err(self.fault(ProofFault::Ends));
            }
        }
        self.next += 1;
        Ok(self.buffer[self.next - 1])
    }

    /// Reads a number in LEB128: seven bits per byte, lowest first, with the high bit set on all
    /// bytes but the last. At most four bytes.
    pub(super) fn number(&mut self) -> Result<usize, CheckError> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.fault(ProofFault::Number))
    }

    /// Reads a number below a limit.
    pub(super) fn below(&mut self, limit: usize) -> Result<usize, CheckError> {
        let number = self.number()?;
        if number < limit {
            Ok(number)
        } else {
            Err(self.fault(ProofFault::Number))
        }
    }

    /// Adds to the cost of the check.
    #[inline]
    pub(super) fn add_work(&mut self, lines: usize) {
        self.work += lines as u64;
    }

    /// Checks that neither proof nor file has bytes left.
    pub(super) fn end(&mut self, length: u64) -> Result<(), CheckError> {
        if self.next == self.filled {
            self.refill()?;
        }
        if self.next < self.filled || self.at() != length || !self.compressed.is_empty() {
            return Err(self.fault(ProofFault::GoesOn));
        }
        Ok(())
    }
}

/// Appends a number as [`ProofReader::number`] reads it.
pub(super) fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    debug_assert!(number < 1 << 28, "four bytes hold 28 bits");
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
