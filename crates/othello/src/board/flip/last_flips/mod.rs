//! Flips on the last empty square: only their number matters, which tables give directly, as in
//! Edax's `count_last_flip`.
//!
//! Each of the four lines through the square is gathered into an index: with PEXT where the build
//! has BMI2, else with a multiplication. The tests compare both with a naive walk.

use crate::board::square::Square;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
pub(super) mod multiply;

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(super) mod pext;

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use multiply::doubled_flips;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use pext::doubled_flips;

/// Twice the number of discs that each side flips by playing on the last empty square: the change
/// of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DoubledFlips {
    pub(crate) mine: i32,
    pub(crate) theirs: i32,
}

impl DoubledFlips {
    /// Splits a sum of entries of [`LAST_FLIPS`].
    #[inline(always)]
    const fn from_sum(doubled: u32) -> Self {
        Self {
            mine: (doubled & 0xff) as i32,
            theirs: (doubled >> 8) as i32,
        }
    }
}

/// Returns twice the number of flips on the last empty square, where every other square that is not
/// `me` is the opponent's.
#[inline(always)]
pub(crate) fn doubled_last_flips(me: u64, square: Square) -> DoubledFlips {
    doubled_flips(me, square)
}

/// Returns the start of the table for a place in a line of `len` squares.
const fn table_start(len: u32, place: u32) -> u32 {
    let mut start = 0;
    let mut shorter = 1;
    while shorter < len {
        start += shorter << shorter;
        shorter += 1;
    }
    start + (place << len)
}

/// For a place in a line and the mover's discs in it: twice the number of discs that the mover flips
/// if all others are the opponent's; in the high byte the same for the opponent.
static LAST_FLIPS: [u16; 4096] = last_flips();

const fn last_flips() -> [u16; 4096] {
    let mut table = [0; 4096];
    let mut len = 1;
    while len <= 8 {
        let mut place = 0;
        while place < len {
            let mut discs = 0;
            while discs < 1 << len {
                let others = !discs & ((1 << len) - 1) & !(1 << place);
                let flipped = flip_count(discs, place) + (flip_count(others, place) << 8);
                table[table_start(len, place) as usize + discs as usize] = 2 * flipped as u16;
                discs += 1;
            }
            place += 1;
        }
        len += 1;
    }
    table
}

/// Returns how many squares lie between a place and the nearest of `discs` on either side.
const fn flip_count(discs: u32, place: u32) -> u32 {
    let above = discs >> place >> 1;
    let below = discs & ((1 << place) - 1);
    let mut count = 0;
    if above != 0 {
        count += above.trailing_zeros();
    }
    if below != 0 {
        count += below.leading_zeros() - (32 - place);
    }
    count
}
