//! Which discs a move turns over.
//!
//! Two implementations of one contract live below: [`avx2`](self) looks at four directions in
//! one register, `portable` at one direction after the other. The build chooses; the tests hold
//! both against the naive walk.

use crate::geometry::{RAYS_DOWN, RAYS_UP};
use crate::square::Square;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(crate) mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use avx2::flips;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) use portable::flips;

/// How many discs `me` turns by filling the last empty square, every other square that is not
/// `me` being the opponent's. Twice the number, since that is what a score changes by.
#[inline(always)]
pub(crate) fn doubled_last_flips(me: u64, square: Square) -> i32 {
    let lines = &LINES[square.index()];
    let mut doubled = 0;
    let mut direction = 0;
    while direction < 4 {
        let line = &lines[direction];
        let discs = extract(me, line.mask) & 0xff;
        doubled += i32::from(LAST_FLIPS[line.place as usize & 7][discs]);
        direction += 1;
    }
    doubled
}

/// One of the four lines through a square.
#[derive(Clone, Copy)]
struct Line {
    mask: u64,
    /// How many squares of the line come before this one.
    place: u32,
}

static LINES: [[Line; 4]; 64] = lines();

const fn lines() -> [[Line; 4]; 64] {
    let mut all = [[Line { mask: 0, place: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let bit = 1u64 << square;
            let mask = RAYS_UP[square][direction] | RAYS_DOWN[square][direction] | bit;
            all[square][direction] = Line {
                mask,
                place: (mask & (bit - 1)).count_ones(),
            };
            direction += 1;
        }
        square += 1;
    }
    all
}

/// For a place in a line and the mover's discs in it: twice the number of discs turned, all
/// the others being the opponent's.
static LAST_FLIPS: [[u8; 256]; 8] = last_flips();

const fn last_flips() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut discs = 0;
        while discs < 256 {
            let above = (discs >> place) >> 1;
            let below = discs & ((1 << place) - 1);
            let mut turned = 0;
            if above != 0 {
                turned += (above as u32).trailing_zeros();
            }
            if below != 0 {
                turned += (below as u32).leading_zeros() - (32 - place as u32);
            }
            table[place][discs] = 2 * turned as u8;
            discs += 1;
        }
        place += 1;
    }
    table
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
            prop_assert_eq!(doubled_last_flips(me, square), 2 * expected.count_ones() as i32);
        }
    }
}
