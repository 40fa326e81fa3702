//! What the advisor says of the moves of a position.

use papan_catalog::review::PositionAnalysis;
use papan_rules::Move;
use papan_strategies::{Score, Unit};

/// What the advisor says of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What its one search says.
    pub insight: PositionAnalysis,
    /// What each move is worth that the search said nothing of, by looking one move further:
    /// to be shown, and not to be compared.
    pub others: Vec<(Move, Score)>,
    /// How hard it thought.
    pub effort: Effort,
    /// Whether it has finished thinking.
    pub settled: bool,
}

/// How hard the advisor thinks about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// For a curve over a whole game.
    Quick,
    /// For the position that is looked at.
    Deep,
}

impl Analysis {
    /// Every move with what it is worth.
    pub fn scores(&self) -> impl Iterator<Item = (Move, Score)> {
        self.insight.moves.iter().chain(&self.others).copied()
    }

    /// What a move is worth.
    #[must_use]
    pub fn score(&self, mv: Move) -> Option<Score> {
        let mut scores = self.scores();
        scores
            .find(|(other, _)| *other == mv)
            .map(|(_, score)| score)
    }

    /// Whether more thinking would change nothing, or is not asked for.
    #[must_use]
    pub fn is_enough(&self, effort: Effort) -> bool {
        let proven = || self.scores().all(|(_, score)| score.is_proven());
        self.settled && (self.effort >= effort || proven())
    }
}

/// A score on a bar from -1 to +1. Discs are squeezed: the first few matter most.
#[must_use]
pub fn on_bar(score: Score) -> f32 {
    match score.unit() {
        Unit::Discs => (score.balance() / 12.0).tanh(),
        Unit::Result | Unit::Chance => score.balance(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_discs_are_less_than_a_good_chance() {
        assert!(on_bar(Score::chance(0.75)) > on_bar(Score::about_discs(1.0)));
    }
}
