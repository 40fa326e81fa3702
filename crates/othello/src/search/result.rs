//! Search results.

use crate::board::square::Square;

/// A legal move at the root with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub square: Square,
    /// The score in discs for the player who makes the move.
    pub score: i32,
    /// The principal variation, starting with this move; passes are omitted.
    pub pv: Vec<Square>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The score in discs for the side to move.
    pub score: i32,
    /// The best move; `None` when the mover must pass or the game is over.
    pub best: Option<Square>,
    /// The principal variation; passes are omitted.
    pub pv: Vec<Square>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Depth in plies of the last finished iteration.
    pub depth: u32,
    /// Confidence of the last finished iteration, in percent.
    pub confidence: u8,
    /// Whether the score is proven: searched to the end of the game without forward pruning.
    pub exact: bool,
    /// Every legal move with its score, best first, if [`SearchLimits::every_move`] was set; else
    /// the best one only.
    ///
    /// [`SearchLimits::every_move`]: crate::SearchLimits::every_move
    pub moves: Vec<RootMove>,
}
