//! Flips: which discs a move turns over.
//!
//! `avx2` computes four directions in one register, `simd128` two, `portable` one after the other;
//! the build chooses. The tests compare all with a naive walk.

pub(crate) mod last_flips;

pub(crate) use last_flips::doubled_last_flips;

#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "avx2"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
pub(crate) mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) mod avx2;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use avx2::flips;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) use portable::flips;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::flips;

#[cfg(test)]
pub(crate) mod naive {
    /// The rule as written: walk from the square in each of eight directions.
    pub(crate) fn flips(me: u64, opp: u64, square: crate::board::square::Square) -> u64 {
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
    use super::last_flips::DoubledFlips;
    use super::*;
    use crate::board::square::Square;
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
            let expected = DoubledFlips { mine, theirs };
            prop_assert_eq!(doubled_last_flips(me, square), expected);
            prop_assert_eq!(last_flips::multiply::doubled_flips(me, square), expected);
        }
    }
}
