//! Gathers the discs of a line with PEXT (BMI2).

use super::{DoubledFlips, LAST_FLIPS, table_start};
use crate::board::geometry::LINES;
use crate::board::square::Square;

/// Returns twice the number of flips on the last empty square.
#[inline(always)]
pub(crate) fn doubled_flips(me: u64, square: Square) -> DoubledFlips {
    let lines = &LAST_LINES[square.index()];
    let mut doubled = 0;
    let mut direction = 0;
    while direction < 4 {
        let line = &lines[direction];
        let discs = extract(me, line.mask);
        doubled += u32::from(LAST_FLIPS[(line.table as usize + discs) % LAST_FLIPS.len()]);
        direction += 1;
    }
    DoubledFlips::from_sum(doubled)
}

/// One of the four lines through a square.
#[derive(Clone, Copy)]
struct Line {
    mask: u64,
    /// Start of its part of [`LAST_FLIPS`].
    table: u32,
}

static LAST_LINES: [[Line; 4]; 64] = last_lines();

const fn last_lines() -> [[Line; 4]; 64] {
    let mut all = [[Line { mask: 0, table: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let bit = 1u64 << square;
            let mask = LINES[square][direction];
            all[square][direction] = Line {
                mask,
                table: table_start(mask.count_ones(), (mask & (bit - 1)).count_ones()),
            };
            direction += 1;
        }
        square += 1;
    }
    all
}

#[inline(always)]
#[allow(unsafe_code)]
fn extract(discs: u64, mask: u64) -> usize {
    // SAFETY: this module is compiled only where the target has BMI2.
    unsafe { core::arch::x86_64::_pext_u64(discs, mask) as usize }
}
