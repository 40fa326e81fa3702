//! How much the search may guess: steps of confidence, from bold to exact.
//!
//! Multi-ProbCut believes a shallow search when its result lies far enough outside the window.
//! How far is far enough is a multiple of the spread between shallow and deep results, which
//! depends on the evaluation: the constants travel in the weights file, where
//! `papan-train probcut` puts them.

use crate::eval::probcut_model::ProbCutModel;
use crate::eval::score::{DISC, SCORE_MAX};

/// The second step: fewer guesses.
pub(crate) const SURER: u8 = 1;

/// The last step: nothing is guessed.
pub(crate) const EXACT: u8 = 2;

/// The probability that a step's cuts are right, in percent.
pub(crate) const PERCENT: [u8; 3] = [76, 88, 100];

/// The steps at which something is guessed.
const GUESSING: usize = EXACT as usize;

/// For each step, how many standard deviations a shallow result must lie outside, where the deep
/// search ends at the evaluation.
const CONFIDENCE: [f32; GUESSING] = [1.17, 2.0];

/// The same where it reaches the end of the game. A cut is wrong on one side only: with normal
/// errors, this many standard deviations make it right as often as [`PERCENT`] says. They, and
/// the larger ones for the shallow searches above, were tuned on the nodes that solving takes, the
/// first of those by matches, too.
const CONFIDENCE_SOLVING: [f32; GUESSING] = [0.7, 1.2];

/// The depth of the shallow search that stands for one of `depth` plies: of the same parity.
#[inline]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

const PLIES: usize = 61;

/// No shallow result lies further outside.
const MOST: f32 = (2 * SCORE_MAX) as f32;

/// How far outside the window is far enough, made once for an evaluation.
pub(crate) struct Margins(Box<[[[i32; PLIES]; PLIES]; GUESSING]>);

impl Margins {
    pub(crate) fn new(probcut: &ProbCutModel) -> Self {
        let mut all = Box::new([[[0; PLIES]; PLIES]; GUESSING]);
        for (step, by_empties) in all.iter_mut().enumerate() {
            for (empties, by_depth) in (0..).zip(by_empties) {
                for (depth, margin) in (0..=empties).zip(by_depth) {
                    *margin = margin_of(probcut, step, empties, depth);
                }
            }
        }
        Self(all)
    }

    /// How far, in discs, the result of a search of [`shallow_depth`] plies must lie outside the
    /// window to stand for one of `depth` plies at a step of selectivity.
    #[inline(always)]
    pub(crate) fn at(&self, step: u8, empties: u32, depth: u32) -> i32 {
        self.0[usize::from(step)][empties as usize][depth as usize]
    }
}

fn margin_of(probcut: &ProbCutModel, step: usize, empties: u32, depth: u32) -> i32 {
    let confidence = if depth == empties {
        CONFIDENCE_SOLVING[step]
    } else {
        CONFIDENCE[step]
    };
    let spread = probcut.sigma(empties, depth, shallow_depth(depth));
    (confidence * spread * DISC as f32).ceil().min(MOST) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bolder_step_and_a_smaller_gap_need_less() {
        let margins = Margins::new(&ProbCutModel::VERSION_1);
        for empties in 12..=60 {
            for depth in 4..=empties {
                assert!(margins.at(0, empties, depth) <= margins.at(1, empties, depth));
                assert!(margins.at(0, empties, depth) > 0);
            }
            assert!(margins.at(1, empties, 4) <= margins.at(1, empties, 11));
        }
    }
}
