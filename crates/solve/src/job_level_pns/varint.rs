//! Variable-length integers (LEB128) for results of leaf jobs.

/// Appends a number.
pub(super) fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reader of consecutive numbers.
pub(super) struct VarintReader<'a> {
    pub(super) bytes: &'a [u8],
    /// Number of cells of the board.
    pub(super) cells: usize,
}

impl VarintReader<'_> {
    pub(super) fn next(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in (0..32).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a cell of the board.
    pub(super) fn cell(&mut self) -> Option<u16> {
        let cell = self.next()?;
        ((cell as usize) < self.cells).then_some(cell as u16)
    }

    /// Reads the length of a list whose items take at least one byte each.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = self.next()? as usize;
        (count <= self.bytes.len()).then_some(count)
    }
}
