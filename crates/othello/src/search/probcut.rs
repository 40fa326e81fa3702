//! Multi-ProbCut: forward pruning by shallow searches (Buro 1995, 1997).
//!
//! If the result of a shallow search lies outside the window by more than a margin, the deep search
//! would very probably fail on the same side and is skipped. The margin is a multiple of the
//! standard deviation between shallow and deep results, which the evaluation's
//! [`ProbCutModel`] predicts; the multiple depends on the [`Selectivity`].
//!
//! References: M. Buro 1995, *ProbCut: an effective selective extension of the alpha-beta
//! algorithm*; M. Buro 1997, *Experiments with Multi-ProbCut and a new high-quality evaluation
//! function for Othello*.

use crate::eval::evaluation::Evaluation;
use crate::eval::node::Node;
use crate::eval::probcut_model::ProbCutModel;
use crate::eval::score::{DISC, SCORE_MAX};
use crate::search::node_type::NodeType;
use crate::search::selectivity::Selectivity;

/// Minimum depth for ProbCut.
pub(crate) const MIN_PROBCUT_DEPTH: u32 = 4;

/// Maximum nesting of shallow searches within shallow searches.
pub(crate) const MAX_NESTING: u8 = 2;

/// Selectivity levels with forward pruning.
const SELECTIVE_LEVELS: usize = Selectivity::Exact as usize;

/// For each level, the margin in standard deviations where the deep search ends at the evaluation.
const MIDGAME_T: [f32; SELECTIVE_LEVELS] = [1.17, 2.0];

/// The same where the deep search reaches the end of the game. A cutoff can be wrong on one side
/// only: with normally distributed errors, these make it right as often as
/// [`Selectivity::confidence`] says. They, and the larger ones for the midgame, were tuned on the
/// nodes that solving takes; the first midgame value also by matches.
const ENDGAME_T: [f32; SELECTIVE_LEVELS] = [0.7, 1.2];

/// Margins are capped here: no shallow result lies further outside the window.
const MAX_MARGIN: f32 = (2 * SCORE_MAX) as f32;

const PLIES: usize = 61;

/// Returns the depth of the shallow search for a deep search of `depth` plies: about half, with the
/// same parity.
#[inline]
const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// Margins by selectivity, empty squares and depth.
pub(crate) struct Margins(Box<[[[i32; PLIES]; PLIES]; SELECTIVE_LEVELS]>);

impl Margins {
    /// Tabulates the margins for an error model.
    pub(crate) fn new(model: &ProbCutModel) -> Self {
        let mut margins = Box::new([[[0; PLIES]; PLIES]; SELECTIVE_LEVELS]);
        for (level, by_empties) in margins.iter_mut().enumerate() {
            for (empties, by_depth) in (0..).zip(by_empties) {
                for (depth, margin) in (0..=empties).zip(by_depth) {
                    *margin = margin_of(model, level, empties, depth);
                }
            }
        }
        Self(margins)
    }

    /// Returns the distance from the window at which a shallow result replaces a search of `depth`
    /// plies.
    #[inline(always)]
    fn at(&self, selectivity: Selectivity, empties: u32, depth: u32) -> i32 {
        self.0[selectivity as usize][empties as usize][depth as usize]
    }
}

fn margin_of(model: &ProbCutModel, level: usize, empties: u32, depth: u32) -> i32 {
    let t = if depth == empties {
        ENDGAME_T[level]
    } else {
        MIDGAME_T[level]
    };
    let sigma = model.sigma(empties, depth, shallow_depth(depth));
    (t * sigma * DISC as f32).ceil().min(MAX_MARGIN) as i32
}

/// A shallow null-window search that may replace a deep one.
#[derive(Clone, Copy)]
pub(crate) struct ShallowTest {
    pub(crate) alpha: i32,
    pub(crate) depth: u32,
    pub(crate) node_type: NodeType,
    /// The bound that the deep search returns if the test confirms it.
    cutoff: i32,
}

impl ShallowTest {
    /// Chooses the test for a deep null-window search with bound `alpha`, if any. The static
    /// evaluation decides which side of the window is worth testing.
    #[inline(always)]
    pub(crate) fn choose(
        evaluation: &Evaluation,
        margins: &Margins,
        selectivity: Selectivity,
        node: &Node,
        alpha: i32,
        deep: u32,
    ) -> Option<Self> {
        let depth = shallow_depth(deep);
        let margin = margins.at(selectivity, node.empties(), deep);
        // The smallest score above `alpha`: final scores are whole discs.
        let unit = if deep == node.empties() { DISC } else { 1 };
        let high = alpha + unit + margin;
        let low = alpha - margin;
        let (below, above) = (alpha - margin / 2, alpha + margin / 2);
        let score = evaluation.bounded_score(node, below.min(above - 1), above);
        if high < SCORE_MAX && score >= above {
            Some(Self {
                alpha: high - 1,
                depth,
                node_type: NodeType::Cut,
                cutoff: alpha + unit,
            })
        } else if low > -SCORE_MAX && score <= below {
            Some(Self {
                alpha: low,
                depth,
                node_type: NodeType::All,
                cutoff: alpha,
            })
        } else {
            None
        }
    }

    /// Returns the bound for the deep search if the result of the shallow one is as expected.
    #[inline(always)]
    pub(crate) fn cutoff(&self, score: i32) -> Option<i32> {
        let fails_high = score > self.alpha;
        (fails_high == (self.node_type == NodeType::Cut)).then_some(self.cutoff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_confidence_and_a_smaller_depth_difference_need_less_margin() {
        let margins = Margins::new(&ProbCutModel::VERSION_1);
        for empties in 12..=60 {
            for depth in 4..=empties {
                let low = margins.at(Selectivity::Low, empties, depth);
                assert!(0 < low && low <= margins.at(Selectivity::High, empties, depth));
            }
            let high = |depth| margins.at(Selectivity::High, empties, depth);
            assert!(high(4) <= high(11));
        }
    }
}
