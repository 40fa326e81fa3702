//! Analysis of one position by a strategy.

use papan_rules::{Move, Player};
use papan_strategies::{Bound, Decision, Score, Unit};

use super::Grade;
use super::grade::least_loss;
use crate::AnyLine;

/// Analysis of one position by a strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionAnalysis {
    /// The best move; `None` if the game is over.
    pub best: Option<Move>,
    /// The score for the player to move.
    pub score: Option<Score>,
    /// Scores of the moves for the player to move, as far as the strategy gives them: from one
    /// search, so that they are comparable.
    pub moves: Vec<(Move, Score)>,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl From<&Decision> for PositionAnalysis {
    fn from(decision: &Decision) -> Self {
        let chosen = decision.chosen();
        let scored = decision.candidates.iter();
        let all_known = scored.clone().all(|candidate| candidate.score.is_some());
        let value = |score: Score| match score.bound() {
            // A win cannot be improved; any other score may be exceeded by an unknown move.
            Bound::Exact if !all_known && score != won(score) => score.or_more(),
            _ => score,
        };
        Self {
            best: Some(decision.best),
            score: chosen.and_then(|chosen| chosen.score).map(value),
            moves: scored
                .filter_map(|candidate| Some((candidate.mv, candidate.score?)))
                .collect(),
            pv: chosen.map_or_else(Vec::new, |chosen| chosen.pv.clone()),
        }
    }
}

impl PositionAnalysis {
    /// Returns the analysis of a finished game: its result.
    #[must_use]
    pub fn of_end(line: &dyn AnyLine) -> Self {
        let value = line.final_score(line.turn());
        let unit = line.game().properties().score_unit;
        Self {
            score: Some(Score::from_final(unit, value)),
            ..Self::default()
        }
    }

    /// Returns whether the position is known for certain, so that the one before it may be as well.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        // A finished game has no best move.
        self.best.is_none() || self.score.is_some_and(Score::is_proven)
    }

    /// Returns the score of a move for its player.
    #[must_use]
    pub fn score_of(&self, mv: Move) -> Option<Score> {
        let found = self.moves.iter().find(|(known, _)| *known == mv);
        found.map(|(_, score)| *score)
    }

    /// Returns the score of a move that compares with the score of the position, for the same
    /// player: exact if both are, else from the same search. `after` is the score of the position
    /// after it. `None` if there is no comparable one.
    #[must_use]
    pub fn comparable(&self, mv: Move, after: Option<Score>) -> Option<Score> {
        let before = self.score?;
        if let Some(after) = after.filter(|after| before.is_proven() && compare(before, *after)) {
            return Some(after);
        }
        if self.best == Some(mv) {
            return Some(before);
        }
        // A move that the search only bounds by its choice is not known to be worse.
        let is_bound = |played: Score| {
            before.bound() == Bound::Estimate
                && played.bound() == Bound::AtMost
                && before.unit() == played.unit()
        };
        let played = self.score_of(mv);
        if let Some(played) = played.filter(|played| compare(before, *played) || is_bound(*played))
        {
            return Some(played);
        }
        // A proof beside a guess: it takes more than the guess may err.
        let sure = |score: Score| score.is_proven() || score.is_by_proof();
        let after = after.filter(|after| sure(before) != sure(*after))?;
        let discs = before.unit() == Unit::Discs || after.unit() == Unit::Discs;
        (!discs && before.balance() - after.balance() >= SURELY_LOST).then_some(after)
    }

    /// Returns how much worse a move is than the best. `None` if the scores are not comparable.
    #[must_use]
    pub fn loss(&self, mv: Move, after: Option<Score>) -> Option<f32> {
        let (before, played) = (self.score?, self.comparable(mv, after)?);
        Some((before.balance() - played.balance()).max(0.0))
    }

    /// Corrects the analysis by a move whose result is proved in the next position. A search that
    /// did not see it may have chosen that move: then the best of the others takes its place.
    #[must_use]
    pub fn corrected(&self, mv: Move, proved: Score) -> Self {
        let mut corrected = self.clone();
        let is_known = self
            .score
            .is_some_and(|score| score.is_proven() || score.is_by_proof());
        if is_known || self.best != Some(mv) {
            return corrected;
        }
        for (known, score) in &mut corrected.moves {
            if *known == mv {
                *score = proved;
            }
        }
        let best = corrected.moves.iter().reduce(|best, other| {
            if other.1.balance() > best.1.balance() {
                other
            } else {
                best
            }
        });
        let (best, score) = best.copied().unwrap_or((mv, proved));
        let estimate = match score.bound() {
            Bound::AtMost => score.guessed(),
            _ => score,
        };
        (corrected.best, corrected.score) = (Some(best), Some(estimate));
        if best != mv {
            corrected.pv = vec![best];
        }
        corrected
    }

    /// Returns the loss if the move is a mistake.
    #[must_use]
    pub fn mistake(&self, mv: Move, after: Option<Score>) -> Option<f32> {
        let loss = self.loss(mv, after)?;
        let certain = |score: Option<Score>| score.is_some_and(Score::is_proven);
        let both = certain(self.score) && (certain(after) || certain(self.score_of(mv)));
        (loss >= least_loss(self.score?.unit(), both)).then_some(loss)
    }

    /// Returns how bad a move is, if its loss is large enough to matter.
    #[must_use]
    pub fn grade(&self, mv: Move, after: Option<Score>) -> Option<Grade> {
        let loss = self.mistake(mv, after)?;
        let proved = |score: Option<Score>| score.is_some_and(Score::is_proven);
        let exact = proved(self.score) && (proved(after) || proved(self.score_of(mv)));
        Some(Grade::of(loss, self.score?.unit(), exact))
    }
}

/// The same score, if it were a win.
fn won(score: Score) -> Score {
    let won = Score::result(1);
    let won = score.plies().map_or(won, |plies| won.in_plies(plies));
    if score.is_by_proof() {
        won.by_proof()
    } else {
        won
    }
}

/// Half the way from a draw to a win: estimates rarely err by that much.
const SURELY_LOST: f32 = 0.5;

/// Whether two numbers count the same and are trusted alike.
fn compare(a: Score, b: Score) -> bool {
    let trusted = matches!(a.bound(), Bound::Exact | Bound::Estimate);
    trusted && a.bound() == b.bound() && a.unit() == b.unit()
}

/// Returns the expectation of the first player at the end of a line: the outcome if the game is
/// over, else the score of the analysis.
#[must_use]
pub fn score_for_first(line: &dyn AnyLine, insight: Option<&PositionAnalysis>) -> Option<Score> {
    if line.outcome().is_some() {
        let value = line.final_score(Player::First);
        return Some(Score::from_final(
            line.game().properties().score_unit,
            value,
        ));
    }
    let score = insight?.score?;
    Some(match line.turn() {
        Player::First => score,
        Player::Second => score.turned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyGame;

    const GOOD: Move = Move::on(0);
    const BAD: Move = Move::on(1);

    fn judged(best: Score, worse: Score) -> PositionAnalysis {
        PositionAnalysis {
            best: Some(GOOD),
            score: Some(best),
            moves: vec![(GOOD, best), (BAD, worse)],
            pv: vec![GOOD],
        }
    }

    #[test]
    fn a_mistake_is_a_move_that_gives_the_value_away() {
        let drawn = judged(Score::result(0), Score::result(-1));
        assert_eq!(drawn.mistake(BAD, None), Some(1.0));
        assert_eq!(drawn.mistake(GOOD, None), None);
        assert_eq!(drawn.loss(Move::on(2), None), None);
        let a_disc = judged(Score::discs(0), Score::discs(-1));
        assert_eq!(a_disc.mistake(BAD, None), None);
        assert_eq!(a_disc.loss(BAD, None), Some(1.0));
    }

    #[test]
    fn what_is_certain_before_and_after_counts_more_than_a_guess_about_both() {
        let about = |best, worse| judged(best, Score::about_discs(worse));
        let insight = about(Score::discs(4), 2.0);
        assert_eq!(insight.loss(BAD, Some(Score::discs(-6))), Some(10.0));
        // An estimate is not comparable with a proof.
        assert_eq!(insight.loss(BAD, Some(Score::about_discs(-6.0))), None);
        assert_eq!(insight.loss(BAD, None), None);
        // Searches of different positions are not comparable either; one search is.
        let insight = about(Score::about_discs(4.0), 3.0);
        assert_eq!(insight.loss(BAD, Some(Score::about_discs(-6.0))), Some(1.0));
    }

    #[test]
    fn chances_discs_and_results_are_told_apart() {
        assert!(
            judged(Score::chance(0.7), Score::chance(0.4))
                .mistake(BAD, None)
                .is_some()
        );
        let discs = |best, worse| judged(Score::about_discs(best), Score::about_discs(worse));
        assert!(discs(1.0, 0.0).mistake(BAD, None).is_none());
        assert!(discs(5.0, 1.0).mistake(BAD, None).is_some());
        assert!(
            judged(Score::discs(5), Score::chance(0.1))
                .loss(BAD, None)
                .is_none()
        );
        // A win that was proved and is not any more.
        let missed = PositionAnalysis {
            moves: Vec::new(),
            ..judged(Score::result(1), Score::result(1))
        };
        assert!(missed.mistake(BAD, Some(Score::chance(0.5))).is_some());
        assert!(missed.loss(BAD, Some(Score::chance(0.9))).is_none());
    }

    #[test]
    fn a_move_is_never_better_for_a_lower_number() {
        let scores = [-6, -1, 0, 1, 7].map(|value| {
            let about = Score::about_discs(value as f32);
            [
                about,
                Score::discs(value),
                Score::result(value),
                Score::chance(value as f32 / 8.0 + 0.1),
            ]
        });
        for best in scores.as_flattened() {
            for worse in scores.as_flattened() {
                for after in scores.as_flattened() {
                    let insight = judged(*best, *worse);
                    let lost = insight.loss(BAD, Some(*after)).unwrap_or(0.0);
                    assert!(lost >= 0.0);
                    let lower = |other: &Score| best.balance() <= other.balance();
                    let mistake = insight.mistake(BAD, Some(*after)).is_some();
                    assert!(
                        !(mistake && lower(worse) && lower(after)),
                        "{best:?} {worse:?} {after:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_value_is_a_bound_where_a_move_was_not_judged() {
        let decided = |score: Score| {
            let mut known = papan_strategies::Candidate::new(GOOD, Vec::new());
            known.score = Some(score);
            let unknown = papan_strategies::Candidate::new(BAD, Vec::new());
            let decision = Decision {
                best: GOOD,
                candidates: vec![known, unknown],
                nodes: 1,
            };
            PositionAnalysis::from(&decision).score
        };
        let drawn = Score::result(0);
        assert_eq!(decided(drawn), Some(drawn.or_more()));
        assert_eq!(decided(Score::discs(4)), Some(Score::discs(4).or_more()));
        let won = Score::result(1).in_plies(3);
        assert_eq!(decided(won), Some(won));
    }

    #[test]
    fn at_the_end_the_score_is_the_fact() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 4 2 5 3").unwrap();
        assert_eq!(score_for_first(&*line, None), Some(Score::result(1)));
    }
}
