//! Scores as a search has them: in sixteenths of a disc.
//!
//! Whole discs would do where nothing is guessed, since rounding keeps the order of scores; but moves less than a disc
//! apart could not be told from each other, and shallow searches would have to be believed, or not, by whole discs. Near
//! the end, where every score is final, and in what is told of a search there are only whole discs.

/// One disc.
pub(crate) const DISC: i32 = 16;

/// All discs for one side: nothing is more.
pub(crate) const WIPE_OUT: i32 = 64 * DISC;

/// The nearest number of discs.
#[inline(always)]
pub(crate) const fn to_discs(score: i32) -> i32 {
    (score + DISC / 2).div_euclid(DISC)
}

/// The most discs that are not above `alpha`: a whole number of discs is above it where it is above these.
#[inline(always)]
pub(crate) const fn whole(alpha: i32) -> i32 {
    alpha.div_euclid(DISC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_discs_lie_on_the_same_side_of_a_bound_and_of_its_whole_discs() {
        for alpha in -WIPE_OUT..WIPE_OUT {
            for discs in -64..=64 {
                assert_eq!(discs * DISC > alpha, discs > whole(alpha));
                // From the other's side, too.
                assert_eq!(-discs * DISC > !alpha, -discs > !whole(alpha));
            }
        }
    }

    #[test]
    fn a_score_is_told_as_the_nearest_number_of_discs() {
        for (score, discs) in [(0, 0), (7, 0), (8, 1), (-8, 0), (-9, -1), (WIPE_OUT, 64)] {
            assert_eq!(to_discs(score), discs);
        }
    }
}
