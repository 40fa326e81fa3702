//! What the advisor says of the moves of a position, and what that makes of the
//! move that was played.

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Counted, Move, Player};
use papan_strategies::Score;

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
        let proven = |(_, score): &(Move, Score)| matches!(score, Score::Proven { .. });
        self.settled && (self.effort >= effort || self.scores.iter().all(proven))
    }

    /// What the best move is worth.
    #[must_use]
    pub fn best_score(&self) -> Option<Score> {
        self.score(self.best)
    }
}

/// A score as one number.
#[must_use]
pub fn number(score: Score) -> f32 {
    match score {
        Score::Proven { value, .. } | Score::AtMost(value) | Score::AtLeast(value) => value as f32,
        Score::Estimate(value) => value,
    }
}

/// Whether a score is a chance between -1 and +1 rather than a difference in discs:
/// strategies that count discs count whole ones.
#[must_use]
pub fn is_chance(score: Score) -> bool {
    matches!(score, Score::Estimate(value) if value.abs() <= 1.0 && value.fract() != 0.0)
}

/// The same belief from the other player's side, one move earlier.
#[must_use]
pub fn turned(score: Score) -> Score {
    match score {
        Score::Proven { value, plies } => Score::Proven {
            value: -value,
            plies: plies + 1,
        },
        Score::AtMost(value) => Score::AtLeast(-value),
        Score::AtLeast(value) => Score::AtMost(-value),
        Score::Estimate(value) => Score::Estimate(-value),
    }
}

/// A score in a few characters: `+1`, `=`, `-12`, `+.31`.
#[must_use]
pub fn short(score: Score) -> String {
    match score {
        Score::Proven { value: 0, .. } => "=".into(),
        Score::Proven { value, .. } => format!("{value:+}"),
        Score::AtMost(value) => format!("<{value:+}"),
        Score::AtLeast(value) => format!(">{value:+}"),
        // A chance: its zero says nothing and takes room.
        Score::Estimate(value) if is_chance(score) && value.abs() < 0.995 => {
            format!("{value:+.2}").replacen('0', "", 1)
        }
        Score::Estimate(value) if value.fract() == 0.0 || value.abs() >= 9.95 => {
            format!("{value:+.0}")
        }
        Score::Estimate(value) => format!("{value:+.1}"),
    }
}

/// A score on a bar from -1 to +1. Discs are squeezed: the first few matter most.
#[must_use]
pub fn on_bar(game: &AnyGame, score: Score) -> f32 {
    match game.best_score() {
        2.. if !is_chance(score) => (number(score) / 12.0).tanh(),
        _ => number(score).clamp(-1.0, 1.0),
    }
}

/// What the first player can hope for at the end of a line: the fact if the game
/// is over, else what the advisor says.
#[must_use]
pub fn score_for_first(line: &dyn AnyLine, analysis: Option<&Analysis>) -> Option<Score> {
    if line.outcome().is_some() {
        let value = line.final_score(Player::First);
        return Some(Score::Proven { value, plies: 0 });
    }
    let score = analysis?.best_score()?;
    Some(match line.turn() {
        Player::First => score,
        Player::Second => turned(score),
    })
}

/// How much worse than the best a move is before it counts as a mistake.
fn threshold(counted: Counted, best: Score, played: Score) -> f32 {
    let proven = |score| matches!(score, Score::Proven { .. });
    match (counted, proven(best) && proven(played)) {
        // Estimates waver; a fifth of the way between a draw and a win does not.
        _ if is_chance(best) || is_chance(played) => 0.2,
        (Counted::Result, true) => 1.0,
        (Counted::Discs, true) => 2.0,
        (Counted::Result, false) => 0.2,
        (Counted::Discs, false) => 3.0,
    }
}

/// How much a move gave away, if it was a mistake.
#[must_use]
pub fn loss(counted: Counted, analysis: &Analysis, played: Move) -> Option<f32> {
    let (best, played) = (analysis.best_score()?, analysis.score(played)?);
    let loss = number(best) - number(played);
    (loss >= threshold(counted, best, played)).then_some(loss)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proven(value: i32) -> Score {
        Score::Proven { value, plies: 3 }
    }

    #[test]
    fn a_mistake_is_a_move_that_gives_the_value_away() {
        let (good, bad) = (Move::on(0), Move::on(1));
        let analysis = Analysis {
            best: good,
            scores: vec![(good, proven(0)), (bad, proven(-1))],
            pv: vec![good],
            effort: Effort::Quick,
            settled: true,
        };
        assert_eq!(loss(Counted::Result, &analysis, bad), Some(1.0));
        assert_eq!(loss(Counted::Result, &analysis, good), None);
        assert_eq!(loss(Counted::Discs, &analysis, bad), None);
        assert_eq!(loss(Counted::Result, &analysis, Move::on(2)), None);
    }

    #[test]
    fn chances_and_discs_are_told_apart() {
        let (good, bad) = (Move::on(0), Move::on(1));
        let judged = |best: f32, worse: f32| Analysis {
            best: good,
            scores: vec![(good, Score::Estimate(best)), (bad, Score::Estimate(worse))],
            pv: vec![good],
            effort: Effort::Quick,
            settled: true,
        };
        assert!(loss(Counted::Discs, &judged(0.35, -0.25), bad).is_some());
        assert!(loss(Counted::Discs, &judged(1.0, 0.0), bad).is_none());
        assert!(loss(Counted::Discs, &judged(5.0, 1.0), bad).is_some());
        let othello: AnyGame = "othello".parse().unwrap();
        assert!(on_bar(&othello, Score::Estimate(0.5)) > on_bar(&othello, Score::Estimate(1.0)));
    }

    #[test]
    fn a_score_turns_round_with_the_board() {
        assert_eq!(
            turned(proven(1)),
            Score::Proven {
                value: -1,
                plies: 4
            }
        );
        assert_eq!(turned(Score::AtMost(3)), Score::AtLeast(-3));
        assert_eq!(short(proven(0)), "=");
        assert_eq!(short(Score::Estimate(0.31)), "+.31");
        assert_eq!(short(Score::Estimate(-3.04)), "-3.0");
        assert_eq!(short(Score::Estimate(3.0)), "+3");
        assert_eq!(short(Score::Estimate(-12.4)), "-12");
    }

    #[test]
    fn at_the_end_the_score_is_the_fact() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 4 2 5 3").unwrap();
        let score = score_for_first(&*line, None).unwrap();
        assert_eq!(number(score), 1.0);
    }
}
