//! Mobility: the legal moves of a side, and its frontier.
//!
//! The moves are found by parallel prefix, a Kogge-Stone fill in each direction
//! (<https://www.chessprogramming.org/Kogge-Stone_Algorithm>).

use crate::board::geometry::neighbours;

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
pub(crate) use avx2::moves;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) use portable::moves;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::moves;

/// Returns the frontier of `opp`: the empty squares next to its discs, where `me` may get moves.
#[inline(always)]
pub(crate) const fn frontier(me: u64, opp: u64) -> u64 {
    neighbours(opp) & !(me | opp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flip::naive;
    use crate::board::square::Squares;
    use proptest::prelude::*;

    fn naive_moves(me: u64, opp: u64) -> u64 {
        Squares(!(me | opp))
            .filter(|&square| naive::flips(me, opp, square) != 0)
            .fold(0, |all, square| all | square.bit())
    }

    proptest! {
        #[test]
        fn every_code_path_finds_the_moves_that_flip_something(a: u64, b: u64, c: u64) {
            for (me, opp) in [(a, b & !a), (a & b, c & !(a & b)), (a & b & c, (a | b) & !(a & b & c))] {
                let expected = naive_moves(me, opp);
                prop_assert_eq!(portable::moves(me, opp), expected);
                prop_assert_eq!(moves(me, opp), expected);
                prop_assert_eq!(frontier(me, opp) & expected, expected);
            }
        }
    }
}
