//! What the advisor says of the moves of a position, and what that makes of the
//! move that was played.

use papan_catalog::AnyLine;
use papan_rules::{Move, Player};
use papan_strategies::{Score, Unit};

/// What the advisor says of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The move it would play.
    pub best: Move,
    /// What each move is worth to the player who makes it.
    pub scores: Vec<(Move, Score)>,
    /// How it expects play to go on.
    pub pv: Vec<Move>,
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
    /// What a move is worth.
    #[must_use]
    pub fn score(&self, mv: Move) -> Option<Score> {
        let found = self.scores.iter().find(|(other, _)| *other == mv);
        found.map(|(_, score)| *score)
    }

    /// Whether more thinking would change nothing, or is not asked for.
    #[must_use]
    pub fn is_enough(&self, effort: Effort) -> bool {
        let proven = |(_, score): &(Move, Score)| score.is_proven();
        self.settled && (self.effort >= effort || self.scores.iter().all(proven))
    }

    /// What the best move is worth.
    #[must_use]
    pub fn best_score(&self) -> Option<Score> {
        self.score(self.best)
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

/// What the first player can hope for at the end of a line: the fact if the game
/// is over, else what the advisor says.
#[must_use]
pub fn score_for_first(line: &dyn AnyLine, analysis: Option<&Analysis>) -> Option<Score> {
    if line.outcome().is_some() {
        let value = line.final_score(Player::First);
        return Some(Score::counted(line.game().properties().counted, value));
    }
    let score = analysis?.best_score()?;
    Some(match line.turn() {
        Player::First => score,
        Player::Second => score.turned(),
    })
}

/// How much worse than the best a move is before it counts as a mistake.
fn threshold(best: Score, played: Score) -> f32 {
    match (best.unit(), best.is_proven() && played.is_proven()) {
        (Unit::Discs, true) => 2.0,
        (Unit::Discs, false) => 3.0,
        (Unit::Result, true) => 1.0,
        // Estimates waver; a fifth of the way between a draw and a win does not.
        _ => 0.2,
    }
}

/// How much a move gave away, if it was a mistake.
#[must_use]
pub(crate) fn loss(analysis: &Analysis, played: Move) -> Option<f32> {
    let (best, played) = (analysis.best_score()?, analysis.score(played)?);
    if (best.unit() == Unit::Discs) != (played.unit() == Unit::Discs) {
        return None; // discs and chances do not compare
    }
    let loss = best.balance() - played.balance();
    (loss >= threshold(best, played)).then_some(loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;

    fn judged(best: Score, worse: Score) -> Analysis {
        Analysis {
            best: GOOD,
            scores: vec![(GOOD, best), (BAD, worse)],
            pv: vec![GOOD],
            effort: Effort::Quick,
            settled: true,
        }
    }

    const GOOD: Move = Move::on(0);
    const BAD: Move = Move::on(1);

    #[test]
    fn a_mistake_is_a_move_that_gives_the_value_away() {
        let analysis = judged(Score::result(0), Score::result(-1));
        assert_eq!(loss(&analysis, BAD), Some(1.0));
        assert_eq!(loss(&analysis, GOOD), None);
        assert_eq!(loss(&analysis, Move::on(2)), None);
        let a_disc = judged(Score::discs(0), Score::discs(-1));
        assert_eq!(loss(&a_disc, BAD), None);
    }

    #[test]
    fn chances_and_discs_are_told_apart() {
        let chances = judged(Score::chance(0.7), Score::chance(0.4));
        assert!(loss(&chances, BAD).is_some());
        let discs = |best, worse| judged(Score::about_discs(best), Score::about_discs(worse));
        assert!(loss(&discs(1.0, 0.0), BAD).is_none());
        assert!(loss(&discs(5.0, 1.0), BAD).is_some());
        assert!(loss(&judged(Score::discs(5), Score::chance(0.1)), BAD).is_none());
        assert!(on_bar(Score::chance(0.75)) > on_bar(Score::about_discs(1.0)));
    }

    #[test]
    fn at_the_end_the_score_is_the_fact() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 4 2 5 3").unwrap();
        let score = score_for_first(&*line, None).unwrap();
        assert_eq!(score, Score::result(1));
    }
}
