//! What a search is asked.

use papan_strategies::Budget;

/// What a search is to find, and what it may use for it. As it stands by default it solves the
/// position, however long that takes.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Plies; a depth of all empty squares solves the position.
    pub depth: Option<u32>,
    /// How sure a search to the end should become, in percent, as reports count it: a lower
    /// number ends the deepening before the score is proven.
    pub percent: Option<u8>,
    /// Positions visited. On one thread the same limit gives the same answer every time.
    pub nodes: Option<u64>,
    /// The time of the decision, which runs since it was begun.
    pub budget: Budget,
    /// Whether every legal move gets a score of its own.
    pub every_move: bool,
    /// Whether only win, draw or loss is asked for where the position is solved.
    pub outcome_only: bool,
}

/// How many moves a game's time is shared among, this one and those to come.
pub(crate) fn moves_to_go(empties: u32) -> u32 {
    // Half the empty squares are ours, and solving ends the thinking early.
    (empties.saturating_sub(12) / 2).clamp(2, 30)
}
