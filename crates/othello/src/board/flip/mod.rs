//! Flips: which discs a move turns over.
//!
//! `avx2` computes four directions in one register, `portable` one after the other; the build
//! chooses. The tests compare both with a naive walk. For the last empty square only the number of
//! flips matters, which tables give directly ([`doubled_last_flips`], as in Edax's `count_last_flip`).

use crate::board::geometry::LINES;
use crate::board::square::Square;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(crate) mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use avx2::flips;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) use portable::flips;

/// Twice the number of discs that each side flips by playing on the last empty square: the change
/// of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DoubledFlips {
    pub(crate) mine: i32,
    pub(crate) theirs: i32,
}

/// Returns twice the number of flips on the last empty square, where every other square that is not
/// `me` is the opponent's.
#[inline(always)]
pub(crate) fn doubled_last_flips(me: u64, square: Square) -> DoubledFlips {
    let lines = &LAST_LINES[square.index()];
    let mut doubled = 0;
    let mut direction = 0;
    while direction < 4 {
        let line = &lines[direction];
        let discs = extract(me, line.mask);
        doubled += u32::from(LAST_FLIPS[(line.table as usize + discs) % LAST_FLIPS.len()]);
        direction += 1;
    }
    DoubledFlips {
        mine: (doubled & 0xff) as i32,
        theirs: (doubled >> 8) as i32,
    }
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

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
#[allow(unsafe_code)]
fn extract(discs: u64, mask: u64) -> usize {
    // SAFETY: this function is compiled only where the target has BMI2.
    unsafe { core::arch::x86_64::_pext_u64(discs, mask) as usize }
}

/// Gathers the bits of a line one by one, for processors without PEXT.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
fn extract(discs: u64, mask: u64) -> usize {
    let mut gathered = 0;
    let mut rest = mask;
    let mut at = 0;
    while rest != 0 {
        gathered |= usize::from(discs & rest & rest.wrapping_neg() != 0) << at;
        rest &= rest - 1;
        at += 1;
    }
    gathered
}

#[cfg(test)]
pub(crate) mod naive {
    /// The rule as written: walk from the square in each of eight directions.
    pub(crate) fn flips(me: u64, opp: u64, square: super::Square) -> u64 {
        let mut all = 0;
        for (dx, dy) in [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
        ] {
            let (mut x, mut y) = (
                square.index() as i32 % 8 + dx,
                square.index() as i32 / 8 + dy,
            );
            let mut run = 0u64;
            while (0..8).contains(&x) && (0..8).contains(&y) {
                let bit = 1u64 << (8 * y + x);
                if opp & bit != 0 {
                    run |= bit;
                } else {
                    if me & bit != 0 {
                        all |= run;
                    }
                    break;
                }
                (x, y) = (x + dx, y + dy);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn squares() -> impl Strategy<Value = Square> {
        (0..64usize).prop_map(|index| Square::new(index).expect("it is below 64"))
    }

    proptest! {
        #[test]
        fn every_code_path_flips_the_same_discs_as_the_naive_walk(a: u64, b: u64, square in squares()) {
            let bit = square.bit();
            let (me, opp) = (a & !bit, b & !a & !bit);
            let expected = naive::flips(me, opp, square);
            prop_assert_eq!(portable::flips(me, opp, square), expected);
            prop_assert_eq!(flips(me, opp, square), expected);
        }

        #[test]
        fn every_code_path_agrees_on_crowded_boards(a: u64, b: u64, c: u64, square in squares()) {
            let bit = square.bit();
            let (me, opp) = (a & b & c & !bit, !(a & b & c) & !bit);
            let expected = naive::flips(me, opp, square);
            prop_assert_eq!(portable::flips(me, opp, square), expected);
            prop_assert_eq!(flips(me, opp, square), expected);
            let others = naive::flips(opp, me, square);
            let [mine, theirs] = [expected, others].map(|flips| 2 * flips.count_ones() as i32);
            prop_assert_eq!(doubled_last_flips(me, square), DoubledFlips { mine, theirs });
        }
    }
}
