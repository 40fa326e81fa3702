//! Where a side may move.

use crate::board::geometry::beside;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(crate) mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use avx2::moves;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) use portable::moves;

/// The empty squares that touch a disc of `opp`: where moves may appear later.
#[inline(always)]
pub(crate) const fn frontier(me: u64, opp: u64) -> u64 {
    beside(opp) & !(me | opp)
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
        fn every_code_path_finds_the_moves_that_turn_something(a: u64, b: u64, c: u64) {
            for (me, opp) in [(a, b & !a), (a & b, c & !(a & b)), (a & b & c, (a | b) & !(a & b & c))] {
                let expected = naive_moves(me, opp);
                prop_assert_eq!(portable::moves(me, opp), expected);
                prop_assert_eq!(moves(me, opp), expected);
                prop_assert_eq!(frontier(me, opp) & expected, expected);
            }
        }
    }
}
