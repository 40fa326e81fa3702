//! A position as the search carries it from move to move.

use crate::board::Board;
use crate::features::Features;
use crate::square::Square;

/// The board, and what the evaluation reads of it, kept up to date.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) board: Board,
    pub(crate) features: Features,
}

impl Node {
    /// The node of a board, read anew.
    pub(crate) fn new(board: Board) -> Self {
        Self {
            board,
            features: Features::new(board),
        }
    }

    /// How many squares are empty.
    #[inline(always)]
    pub(crate) const fn empties(&self) -> u32 {
        self.board.empties()
    }

    /// After a move on `square` that turns `flips`.
    #[inline(always)]
    pub(crate) fn after(&self, square: Square, flips: u64) -> Self {
        Self {
            board: self.board.after(square, flips),
            features: self.features.after(square, flips),
        }
    }

    /// After a legal move.
    #[inline(always)]
    pub(crate) fn child(&self, square: Square) -> Self {
        self.after(square, self.board.flips(square))
    }

    /// After a pass.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Self {
        Self {
            board: self.board.passed(),
            features: self.features.passed(),
        }
    }
}
