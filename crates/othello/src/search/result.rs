//! What a search tells.

use crate::board::square::Square;

/// The result for one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The square.
    pub square: Square,
    /// The score in discs, from the side of the player who makes the move.
    pub score: i32,
    /// The line that follows, beginning with this move; passes are left out.
    pub pv: Vec<Square>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The score in discs, from the mover's side. When only the outcome was asked for, a bound
    /// with the right sign.
    pub score: i32,
    /// The best move; `None` when the mover must pass or the game is over.
    pub best: Option<Square>,
    /// The line that the engine expects; passes are left out.
    pub pv: Vec<Square>,
    /// Positions visited.
    pub nodes: u64,
    /// How many plies were searched.
    pub depth: u32,
    /// How sure the selective search is, in percent.
    pub percent: u8,
    /// Whether the score is proven: searched to the end, nothing guessed.
    pub exact: bool,
    /// Every legal move with its score, best first, when asked for; else the best alone.
    pub moves: Vec<RootMove>,
}
