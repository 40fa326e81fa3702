//! Which discs a move turns over.
//!
//! Two implementations of one contract live below: [`avx2`](self) looks at four directions in
//! one register, `portable` at one direction after the other. The build chooses; the tests hold
//! both against the naive walk.

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

/// How many discs `me` and how many the opponent would turn by filling the last empty square, every
/// other square that is not `me` being the opponent's. Twice the numbers, since that is what a
/// score changes by.
#[inline(always)]
pub(crate) fn doubled_last_flips(me: u64, square: Square) -> (i32, i32) {
    let lines = &LAST_LINES[square.index()];
    let mut doubled = 0;
    let mut direction = 0;
    while direction < 4 {
        let line = &lines[direction];
        let discs = extract(me, line.mask);
        doubled += u32::from(LAST_FLIPS[(line.table as usize + discs) % LAST_FLIPS.len()]);
        direction += 1;
    }
    ((doubled & 0xff) as i32, (doubled >> 8) as i32)
}

/// One of the four lines through a square.
#[derive(Clone, Copy)]
struct Line {
    mask: u64,
    /// Where its part of [`LAST_FLIPS`] begins.
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
                table: table_of(mask.count_ones(), (mask & (bit - 1)).count_ones()),
            };
            direction += 1;
        }
        square += 1;
    }
    all
}

/// Where the table for a place in a line of so many squares begins.
const fn table_of(len: u32, place: u32) -> u32 {
    let mut start = 0;
    let mut shorter = 1;
    while shorter < len {
        start += shorter << shorter;
        shorter += 1;
    }
    start + (place << len)
}

/// For a place in a line and the mover's discs in it: twice the number of discs that the mover
/// turns, all others being the opponent's, and in the high byte what the opponent would.
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
                let turned = turned(discs, place) + (turned(others, place) << 8);
                table[table_of(len, place) as usize + discs as usize] = 2 * turned as u16;
                discs += 1;
            }
            place += 1;
        }
        len += 1;
    }
    table
}

/// How many of the squares beside a place lie between it and the nearest of `discs`.
const fn turned(discs: u32, place: u32) -> u32 {
    let above = discs >> place >> 1;
    let below = discs & ((1 << place) - 1);
    let mut turned = 0;
    if above != 0 {
        turned += above.trailing_zeros();
    }
    if below != 0 {
        turned += below.leading_zeros() - (32 - place);
    }
    turned
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
#[allow(unsafe_code)]
fn extract(discs: u64, mask: u64) -> usize {
    // SAFETY: this function is compiled only where the target has BMI2.
    unsafe { core::arch::x86_64::_pext_u64(discs, mask) as usize }
}

/// Gathers the bits of a line by hand: without PEXT, walking from bit to bit is what is left.
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
    /// The rule as one would explain it: walk from the square in each of eight directions.
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
        fn every_code_path_turns_what_the_naive_walk_turns(a: u64, b: u64, square in squares()) {
            let bit = square.bit();
            let (me, opp) = (a & !bit, b & !a & !bit);
            let expected = naive::flips(me, opp, square);
            prop_assert_eq!(portable::flips(me, opp, square), expected);
            prop_assert_eq!(flips(me, opp, square), expected);
        }

        #[test]
        fn crowded_boards_turn_what_the_naive_walk_turns(a: u64, b: u64, c: u64, square in squares()) {
            let bit = square.bit();
            let (me, opp) = (a & b & c & !bit, !(a & b & c) & !bit);
            let expected = naive::flips(me, opp, square);
            prop_assert_eq!(portable::flips(me, opp, square), expected);
            prop_assert_eq!(flips(me, opp, square), expected);
            let others = naive::flips(opp, me, square);
            let doubled = [expected, others].map(|turned| 2 * turned.count_ones() as i32);
            prop_assert_eq!(doubled_last_flips(me, square), doubled.into());
        }
    }
}
