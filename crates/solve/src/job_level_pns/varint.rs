//! Numbers in bytes, seven bits each.

/// Appends a number.
pub(super) fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Numbers that are read one after the other.
pub(super) struct Numbers<'a> {
    pub(super) bytes: &'a [u8],
    /// How many cells the board has.
    pub(super) cells: usize,
}

impl Numbers<'_> {
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

    pub(super) fn cell(&mut self) -> Option<u16> {
        let cell = self.next()?;
        ((cell as usize) < self.cells).then_some(cell as u16)
    }

    /// A count of things that take a byte each at least.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = self.next()? as usize;
        (count <= self.bytes.len()).then_some(count)
    }
}
