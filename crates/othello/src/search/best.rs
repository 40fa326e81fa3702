//! Best move of a node with its score.

use crate::board::square::Square;
use crate::eval::score::SCORE_MAX;

/// The best score found at a node and the move that achieves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Best {
    pub(crate) score: i32,
    /// `None` for a pass, at the end of the game, or when no move was searched.
    pub(crate) mv: Option<Square>,
}

impl Best {
    /// No move searched yet: below every score.
    pub(crate) const NONE: Self = Self::without_move(-SCORE_MAX - 1);

    #[inline(always)]
    pub(crate) const fn new(score: i32, mv: Square) -> Self {
        Self {
            score,
            mv: Some(mv),
        }
    }

    #[inline(always)]
    pub(crate) const fn without_move(score: i32) -> Self {
        Self { score, mv: None }
    }
}
