//! Gathers the discs of a line with one multiplication, for processors without PEXT.
//!
//! The product moves every square of the line into the top byte: a row is there already, a file is
//! turned into a row, and a diagonal, which has one square per file, falls onto its files. No two
//! squares meet below the top byte, so that nothing carries into it.

use super::{DoubledFlips, LAST_FLIPS, table_start};
use crate::board::geometry::LINES;
use crate::board::square::Square;

/// Returns twice the number of flips on the last empty square.
#[inline(always)]
pub(crate) fn doubled_flips(me: u64, square: Square) -> DoubledFlips {
    let mut doubled = 0;
    for line in &LAST_LINES[square.index()] {
        let discs = ((me & line.mask).wrapping_mul(line.factor) >> line.shift) as usize;
        doubled += u32::from(LAST_FLIPS[(line.table as usize + discs) % LAST_FLIPS.len()]);
    }
    DoubledFlips::from_sum(doubled)
}

/// One of the four lines through a square.
#[derive(Clone, Copy)]
struct Line {
    mask: u64,
    factor: u64,
    /// Moves the first square of the line into the lowest bit.
    shift: u32,
    /// Start of its part of [`LAST_FLIPS`].
    table: u32,
}

/// Adds all rows into the top byte.
const ALL_ROWS: u64 = 0x0101_0101_0101_0101;
/// Turns the a-file into the top byte, a1 lowest.
const A_FILE_TO_TOP: u64 = 0x0102_0408_1020_4080;

static LAST_LINES: [[Line; 4]; 64] = last_lines();

const fn last_lines() -> [[Line; 4]; 64] {
    let empty = Line {
        mask: 0,
        factor: 0,
        shift: 0,
        table: 0,
    };
    let mut all = [[empty; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut direction = 0;
        while direction < 4 {
            let mask = LINES[square][direction];
            // The direction's step is 1, 7, 8 or 9.
            let (factor, shift, place) = match direction {
                0 => (1, 8 * rank as u32, file as u32),
                2 => (A_FILE_TO_TOP >> file, 56, rank as u32),
                _ => {
                    let first = first_file(mask);
                    (ALL_ROWS, 56 + first, file as u32 - first)
                }
            };
            all[square][direction] = Line {
                mask,
                factor,
                shift,
                table: table_start(mask.count_ones(), place),
            };
            direction += 1;
        }
        square += 1;
    }
    all
}

/// Returns the lowest file on which a set has a square.
const fn first_file(set: u64) -> u32 {
    let mut file = 0;
    while file < 7 && set & (ALL_ROWS << file) == 0 {
        file += 1;
    }
    file
}
