//! Search results on smaller boards.

use papan_rules::Move;
use papan_strategies::Score;

/// The result of a search on a smaller board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallResult {
    /// The score for the mover, in discs: exact, or an estimate.
    pub score: i32,
    /// Whether the score is exact.
    pub exact: bool,
    /// Depth in plies.
    pub depth: u32,
    /// The principal variation, including passes.
    pub pv: Vec<Move>,
    /// Nodes visited.
    pub nodes: u64,
}

impl SmallResult {
    /// Returns the score as a strategy reports it.
    pub(super) fn score(&self) -> Score {
        if self.exact {
            Score::discs(self.score).in_plies(self.pv.len() as u32)
        } else {
            Score::about_discs(self.score as f32)
        }
    }
}
