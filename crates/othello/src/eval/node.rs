//! Search node: a board together with its incrementally updated pattern indices.

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::patterns::Features;

/// A board and the pattern indices that the evaluation reads.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) board: Board,
    pub(crate) features: Features,
}

impl Node {
    /// Creates a node, computing all pattern indices from scratch.
    pub(crate) fn new(board: Board) -> Self {
        Self {
            board,
            features: Features::new(board),
        }
    }

    /// Returns the number of empty squares.
    #[inline(always)]
    pub(crate) const fn empties(&self) -> u32 {
        self.board.empties()
    }

    /// Returns the node after a move on `square` that flips `flips`.
    #[inline(always)]
    pub(crate) fn after(&self, square: Square, flips: u64) -> Self {
        Self {
            board: self.board.after(square, flips),
            features: self.features.after(square, flips),
        }
    }

    /// Returns the node after a legal move.
    #[inline(always)]
    pub(crate) fn child(&self, square: Square) -> Self {
        self.after(square, self.board.flips(square))
    }

    /// Returns the node after a pass.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Self {
        Self {
            board: self.board.passed(),
            features: self.features.passed(),
        }
    }
}
