//! Score units: 1/16 disc in the search, 1/128 disc in the evaluation, whole discs elsewhere.
//!
//! The midgame search works in sixteenths so that it can tell moves apart that differ by less than
//! a disc, and so that ProbCut margins are not rounded to whole discs. The endgame solver, where
//! every score is final, and all results use whole discs.

/// One disc in the units of the search.
pub(crate) const DISC: i32 = 16;

/// The largest score: all 64 discs for one side.
pub(crate) const SCORE_MAX: i32 = 64 * DISC;

/// One disc in the units of the evaluation.
pub const EVAL_SCALE: i32 = 128;

/// Rounds a score to the nearest number of discs.
#[inline(always)]
pub(crate) const fn to_discs(score: i32) -> i32 {
    (score + DISC / 2).div_euclid(DISC)
}

/// Rounds `alpha` down to whole discs; `discs * DISC > alpha` iff `discs > floor_to_discs(alpha)`.
#[inline(always)]
pub(crate) const fn floor_to_discs(alpha: i32) -> i32 {
    alpha.div_euclid(DISC)
}

/// Converts an evaluation to a score. Clamped to 62 discs, so that an estimate never looks like a
/// wipe-out.
#[inline(always)]
pub(crate) fn from_eval(eval: i32) -> i32 {
    const RATIO: i32 = EVAL_SCALE / DISC;
    ((eval + RATIO / 2) >> RATIO.trailing_zeros()).clamp(-62 * DISC, 62 * DISC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_discs_lie_on_the_same_side_of_a_bound_and_of_its_floor() {
        for alpha in -SCORE_MAX..SCORE_MAX {
            for discs in -64..=64 {
                assert_eq!(discs * DISC > alpha, discs > floor_to_discs(alpha));
                // The same from the opponent's point of view.
                assert_eq!(-discs * DISC > !alpha, -discs > !floor_to_discs(alpha));
            }
        }
    }

    #[test]
    fn a_score_rounds_to_the_nearest_number_of_discs() {
        for (score, discs) in [(0, 0), (7, 0), (8, 1), (-8, 0), (-9, -1), (SCORE_MAX, 64)] {
            assert_eq!(to_discs(score), discs);
        }
    }
}
