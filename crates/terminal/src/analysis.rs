//! Position analysis: a score for every move, from the advisor (the engine that gives hints).

use std::time::Duration;

use papan_catalog::review::{Grade, PositionAnalysis};
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
    /// Depth of the search with its confidence, as in `14@87%`, where the advisor has one.
    pub depth: Option<String>,
    /// The best lines after the first: a move with its score, and how play continues.
    pub lines: Vec<OtherLine>,
    /// Nodes and time of all passes.
    pub nodes: u64,
    /// Search time of all passes.
    pub time: Duration,
    /// How long it searched.
    pub effort: Effort,
    /// Whether the search is finished.
    pub settled: bool,
}

/// A line of play beside the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherLine {
    /// The score of its first move.
    pub score: Score,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// How good a move is beside the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quality {
    /// The best, or proved to be as good.
    Best,
    /// Not worse by more than an estimate may err, or not comparable.
    Good,
    /// Worse.
    Graded(Grade),
}

/// How long the advisor searches a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// For the evaluation curve of a whole game.
    Quick,
    /// For a hint.
    Deep,
    /// For the position on the screen, until it is left or every move is proved.
    Endless,
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

    /// Returns how good a move with this score is beside the best.
    #[must_use]
    pub(crate) fn quality(&self, mv: Move, score: Score) -> Quality {
        let best = self.insight.best.and_then(|best| self.score(best));
        // All moves with the proved best value are best, whatever their length.
        let as_good = score.is_proven() && best.and_then(Score::proven) == score.proven();
        if as_good || Some(mv) == self.insight.best {
            return Quality::Best;
        }
        let grade = best.and_then(|best| Grade::between(best, score));
        grade.map_or(Quality::Good, Quality::Graded)
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
