//! Pattern evaluation in the style of LOGISTELLO, corrected by a neural network.
//!
//! The linear part is Buro's: the board is covered by overlapping patterns, each configuration of a
//! pattern has a weight per game stage, and the evaluation is the sum of the weights (M. Buro 1998,
//! *From simple features to sophisticated evaluation functions*). An offset per number of empty
//! squares and a bounded network correction ([`network`](super::network)) are added.
//!
//! Because the correction is bounded by [`MAX_CORRECTION`], the search can skip the network
//! whenever the table sum alone decides a comparison (lazy evaluation).

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::network::{MAX_CORRECTION, Network, NetworkWeights, PLIES};
use crate::eval::node::Node;
use crate::eval::patterns::{
    Indices, STAGES, TABLE_SIZE, for_each_instance, shared_weights, stage,
};
use crate::eval::probcut_model::ProbCutModel;
use crate::eval::score::{EVAL_SCALE, from_eval};
use crate::eval::weights::{self, Weights, WeightsError};
use crate::memory::HugeBox;
use std::sync::{Arc, PoisonError, RwLock};

/// Padding behind the tables, so that any `u16` index of any pattern stays in bounds and the inner
/// loop needs no check.
const PADDING: usize = 1 << 16;

/// A trained evaluation: pattern tables for every two plies of the game, an offset for each number
/// of empty squares, an optional network, and the error model for Multi-ProbCut.
pub struct Evaluation {
    tables: HugeBox<i16>,
    offsets: [i16; PLIES],
    network: Option<Network>,
    probcut: ProbCutModel,
}

#[cfg(feature = "embedded")]
static SHIPPED: std::sync::LazyLock<Arc<Evaluation>> = std::sync::LazyLock::new(|| {
    let evaluation = Evaluation::from_weights(&Weights::shipped());
    Arc::new(evaluation.expect("a test loads the shipped weights"))
});

/// The evaluation of [`Evaluation::install`].
static INSTALLED: RwLock<Option<Arc<Evaluation>>> = RwLock::new(None);

impl Evaluation {
    /// Returns the evaluation that comes with papan. It is unpacked on the first call.
    #[cfg(feature = "embedded")]
    pub fn shipped() -> Arc<Self> {
        SHIPPED.clone()
    }

    /// Makes a weights file the evaluation of every engine created from now on. A build without
    /// the feature `embedded` needs this before its first engine.
    ///
    /// # Errors
    /// When the file is not a weights file, damaged, or of a later version.
    pub fn install(file: &[u8]) -> Result<(), WeightsError> {
        let evaluation = Arc::new(Self::from_weights(&weights::read(file)?)?);
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) = Some(evaluation);
        Ok(())
    }

    /// Returns the installed evaluation, else the one that comes with papan. `None` if the build
    /// contains none and none was installed.
    pub fn current() -> Option<Arc<Self>> {
        let installed = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
        match &*installed {
            Some(evaluation) => Some(Arc::clone(evaluation)),
            #[cfg(feature = "embedded")]
            None => Some(Self::shipped()),
            #[cfg(not(feature = "embedded"))]
            None => None,
        }
    }

    /// Creates an evaluation that scores every position 0.
    pub fn zero() -> Self {
        let Weights {
            linear, probcut, ..
        } = Weights::zero();
        Self::new(&linear, probcut)
    }

    /// Creates an evaluation from one value per shared weight and stage, in 1/128 disc.
    ///
    /// # Panics
    /// When the number of stages or of weights per stage is wrong.
    pub fn new(values: &[Vec<i16>], probcut: ProbCutModel) -> Self {
        let shared = shared_weights();
        assert!(values.len() == STAGES && values.iter().all(|stage| stage.len() == shared.count));
        let tables = HugeBox::new(STAGES * TABLE_SIZE + PADDING, 0, |tables| {
            for (table, stage) in tables.chunks_mut(TABLE_SIZE).zip(values) {
                for (weight, &index) in table.iter_mut().zip(&shared.index) {
                    *weight = stage[index as usize];
                }
            }
        });
        Self {
            tables,
            offsets: [0; PLIES],
            network: None,
            probcut,
        }
    }

    /// Creates the evaluation that a weights file describes.
    ///
    /// # Errors
    /// When the network does not fit the tables, or could overflow.
    pub fn from_weights(weights: &Weights) -> Result<Self, WeightsError> {
        let evaluation = Self::new(&weights.linear, weights.probcut).with_offsets(weights.offsets);
        match &weights.network {
            None => Ok(evaluation),
            Some(network) => evaluation
                .with_network(network)
                .ok_or(WeightsError::Damaged(
                    "the network's size or range is wrong",
                )),
        }
    }

    /// Sets the value, in 1/128 disc, that is added for each number of empty squares.
    #[must_use]
    pub const fn with_offsets(mut self, offsets: [i16; PLIES]) -> Self {
        self.offsets = offsets;
        self
    }

    /// Adds a network. Returns `None` when its size is wrong or its numbers could overflow.
    #[must_use]
    pub fn with_network(mut self, weights: &NetworkWeights) -> Option<Self> {
        self.network = Some(Network::new(&shared_weights().index, weights)?);
        Some(self)
    }

    /// Replaces the error model for Multi-ProbCut.
    #[must_use]
    pub const fn with_probcut(mut self, probcut: ProbCutModel) -> Self {
        self.probcut = probcut;
        self
    }

    /// Returns the error model for Multi-ProbCut.
    pub const fn probcut(&self) -> ProbCutModel {
        self.probcut
    }

    /// Returns the expected final disc difference for the mover, in discs.
    pub fn estimate(&self, board: Board) -> f32 {
        self.evaluate(&Node::new(board)) as f32 / EVAL_SCALE as f32
    }

    /// Returns the expected final disc difference for the mover, in 1/128 disc.
    #[inline(always)]
    pub(crate) fn evaluate(&self, node: &Node) -> i32 {
        let indices = &node.features.mine;
        let sum = self.table_sum(indices, node.board.empties());
        match &self.network {
            None => sum,
            Some(network) => sum + network.correction(indices, node.board),
        }
    }

    /// Evaluates the position after a move from the next mover's side, without the network:
    /// accurate enough for move ordering.
    #[inline(always)]
    pub(crate) fn table_sum_after(&self, node: &Node, square: Square, flips: u64) -> i32 {
        let indices = node.features.mine_after(square, flips);
        self.table_sum(&indices, node.empties() - 1)
    }

    /// Returns the score after a move from the next mover's side. It is exact if it lies between
    /// `low` and `high`, else a bound on the same side of the window.
    #[inline(always)]
    pub(crate) fn bounded_score_after(
        &self,
        node: &Node,
        square: Square,
        flips: u64,
        low: i32,
        high: i32,
    ) -> i32 {
        let indices = node.features.mine_after(square, flips);
        self.bounded_score_of(
            &indices,
            || node.board.after(square, flips),
            node.empties() - 1,
            low,
            high,
        )
    }

    /// Returns the score. It is exact if it lies between `low` and `high`, else a bound on the same
    /// side of the window.
    #[inline(always)]
    pub(crate) fn bounded_score(&self, node: &Node, low: i32, high: i32) -> i32 {
        self.bounded_score_of(
            &node.features.mine,
            || node.board,
            node.empties(),
            low,
            high,
        )
    }

    #[inline(always)]
    fn bounded_score_of(
        &self,
        indices: &Indices,
        board: impl Fn() -> Board,
        empties: u32,
        low: i32,
        high: i32,
    ) -> i32 {
        let sum = self.table_sum(indices, empties);
        let Some(network) = &self.network else {
            return from_eval(sum);
        };
        let upper = from_eval(sum + MAX_CORRECTION);
        if upper <= low {
            return upper;
        }
        let lower = from_eval(sum - MAX_CORRECTION);
        if lower >= high {
            return lower;
        }
        from_eval(sum + network.correction(indices, board()))
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn table_sum(&self, indices: &Indices, empties: u32) -> i32 {
        let start = stage(empties) * TABLE_SIZE;
        let table = &self.tables[start..start + TABLE_SIZE + PADDING];
        let mut sum = i32::from(self.offsets[empties as usize]);
        for_each_instance!(INSTANCE, OFFSET, {
            let at = OFFSET + usize::from(indices.0[INSTANCE]);
            // SAFETY: `OFFSET` is below `TABLE_SIZE`, the index is a `u16`, and the slice holds
            // `TABLE_SIZE` + 65,536 entries.
            sum += i32::from(unsafe { *table.get_unchecked(at) });
        });
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::patterns::table_indices;

    #[test]
    fn the_shipped_weights_prefer_the_corner_and_are_symmetric() {
        let evaluation = Evaluation::shipped();
        let board = crate::testing::random_position(1, 30);
        let estimate = evaluation.estimate(board);
        for symmetry in 1..8 {
            assert_eq!(evaluation.estimate(board.transformed(symmetry)), estimate);
        }
        let corners = crate::board::geometry::CORNERS;
        let mine = Board::try_new(board.me() | corners, board.opp() & !corners);
        assert!(evaluation.estimate(mine.expect("the sets are disjoint")) > estimate);
    }

    #[test]
    fn the_table_entries_of_a_position_add_up_to_its_score() {
        let shared = shared_weights();
        let values: Vec<i16> = (0..shared.count)
            .map(|at| (at % 1000) as i16 - 500)
            .collect();
        let evaluation = Evaluation::new(&vec![values.clone(); STAGES], ProbCutModel::VERSION_1);
        for seed in 0..20 {
            let board = crate::testing::random_position(seed, 20);
            let sum: i32 = table_indices(board)
                .iter()
                .map(|&at| i32::from(values[shared.index[at as usize] as usize]))
                .sum();
            assert_eq!(evaluation.evaluate(&Node::new(board)), sum);
        }
    }

    #[test]
    fn a_network_from_a_weights_file_becomes_part_of_the_evaluation() {
        let mut weights = Weights::shipped();
        weights.network = Some(crate::eval::network::tests::random_network());
        assert!(Evaluation::from_weights(&weights).is_ok());
    }
}
