//! Properties that a game guarantees and proofs rely on.

/// Properties of every position of a game. Proofs rely on them, so the conformance suite checks
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Properties {
    /// Whether the board fills up: every move puts one piece on an empty cell, any empty cell may
    /// be played, no piece is moved, flipped or removed, and the game continues until a player has
    /// won or no cell is empty.
    pub fills_up: bool,
    /// Whether a player without another move passes.
    pub passes: bool,
    /// The unit of the final score.
    pub score_unit: ScoreUnit,
}

impl Properties {
    /// Returns whether the pieces on the board determine the side to move.
    #[must_use]
    pub const fn pieces_tell_turn(self) -> bool {
        self.fills_up && !self.passes
    }
}

/// The unit of a final score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreUnit {
    /// The result only: +1, 0 or -1.
    Result,
    /// Discs: the winner's margin, with empty cells counted for the winner.
    Discs,
}

impl ScoreUnit {
    /// Returns whether a score says more than the result.
    #[must_use]
    pub const fn is_discs(self) -> bool {
        matches!(self, Self::Discs)
    }
}
