//! Position analysis: a score for every move, from the advisor (the engine that gives hints).

use papan_catalog::review::PositionAnalysis;
use papan_rules::Move;
use papan_strategies::{Score, Unit};

/// The advisor's analysis of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The result of its search.
    pub insight: PositionAnalysis,
    /// Scores of the moves that the search did not report, each from a search of the position after
    /// it. They are shown, but do not compare with the others.
    pub others: Vec<(Move, Score)>,
    /// How long it searched.
    pub effort: Effort,
    /// Whether the search is finished.
    pub settled: bool,
}

/// How long the advisor searches a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// For the evaluation curve of a whole game.
    Quick,
    /// For the current position.
    Deep,
}

impl Analysis {
    /// Returns every move with its score.
    pub fn scores(&self) -> impl Iterator<Item = (Move, Score)> {
        self.insight.moves.iter().chain(&self.others).copied()
    }

    /// Returns the score of a move.
    #[must_use]
    pub fn score(&self, mv: Move) -> Option<Score> {
        let mut scores = self.scores();
        scores
            .find(|(other, _)| *other == mv)
            .map(|(_, score)| score)
    }

    /// Whether a search of this effort would add nothing.
    #[must_use]
    pub(crate) fn is_enough(&self, effort: Effort) -> bool {
        let proven = || self.scores().all(|(_, score)| score.is_proven());
        self.settled && (self.effort >= effort || proven())
    }
}

/// Maps a score to the evaluation bar, from -1 to +1. Discs saturate, because the first few matter
/// most.
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
