//! What a game states about itself, for whoever counts, proves or words it.

/// What holds in every position of a game. A proof may rest on it, so the
/// conformance suite checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Properties {
    /// Whether the board fills up: every move puts one piece on an empty cell, any
    /// empty cell may be played, no piece is ever moved, turned or taken, and the
    /// game goes on until somebody has won or no cell is empty.
    pub fills_up: bool,
    /// Whether a player who has no other move passes.
    pub passes: bool,
    /// What a final score counts.
    pub score_unit: ScoreUnit,
}

impl Properties {
    /// Whether the pieces on the board tell whose turn it is.
    #[must_use]
    pub const fn pieces_tell_turn(self) -> bool {
        self.fills_up && !self.passes
    }
}

/// What the final score of a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreUnit {
    /// Nothing but the result: +1, 0 or -1.
    Result,
    /// Discs: how many more the winner has, empty cells given to the winner.
    Discs,
}

impl ScoreUnit {
    /// Whether there is more to a score than the result.
    #[must_use]
    pub const fn is_discs(self) -> bool {
        matches!(self, Self::Discs)
    }
}
