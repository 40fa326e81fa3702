//! Judgements of the moves of a game: losses, grades, turning points.

use papan_rules::{Move, Player};
use papan_strategies::Score;

use super::analysis::score_for_first;
use super::{Grade, PositionAnalysis};
use crate::AnyLine;

/// Judgement of one move. Scores are those of its player.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Who moved.
    pub player: Player,
    /// The move.
    pub mv: Move,
    /// Score before the move.
    pub before: Option<Score>,
    /// Score after the move, comparable with `before` where the loss is known: the loss is the
    /// difference.
    pub after: Option<Score>,
    /// The best move there, if that is known.
    pub best: Option<Move>,
    /// The principal variation of the better move.
    pub pv: Vec<Move>,
    /// The loss, if the scores are comparable.
    pub loss: Option<f32>,
    /// How bad it was, if the loss is large enough to matter.
    pub grade: Option<Grade>,
    /// Whether it is graded and changed which side is ahead.
    pub turning: bool,
}

impl Judgement {
    /// The move that would have been better.
    #[must_use]
    pub fn better(&self) -> Option<Move> {
        self.best
            .filter(|best| self.grade.is_some() && *best != self.mv)
    }

    /// The line that would have been better: at least the better move, if there is one.
    #[must_use]
    pub fn better_line(&self) -> &[Move] {
        match self.better() {
            Some(best) if self.pv.first() == Some(&best) => &self.pv,
            Some(_) => self.best.as_slice(),
            None => &[],
        }
    }
}

/// Returns the expectation of the first player in every analysed position of a line, from the start
/// on.
#[must_use]
pub fn values(line: &dyn AnyLine, insights: &[Option<PositionAnalysis>]) -> Vec<Option<Score>> {
    scores_for_first(line, &corrected(line, insights))
}

fn scores_for_first(
    line: &dyn AnyLine,
    insights: &[Option<PositionAnalysis>],
) -> Vec<Option<Score>> {
    let mut walked = line.clone_line();
    let mut values = Vec::with_capacity(insights.len());
    loop {
        let ply = walked.moves().len();
        if let Some(insight) = insights.get(ply) {
            values.push(score_for_first(&*walked, insight.as_ref()));
        }
        if walked.undo().is_none() {
            break;
        }
    }
    values.reverse();
    values
}

/// Judges every move of a line.
#[must_use]
pub fn judgements(line: &dyn AnyLine, insights: &[Option<PositionAnalysis>]) -> Vec<Judgement> {
    let insights = &corrected(line, insights);
    let values = scores_for_first(line, insights);
    let mut walked = line.clone_line();
    let mut judgements = Vec::with_capacity(line.moves().len());
    while let Some(mv) = walked.undo() {
        let (ply, player) = (walked.moves().len(), walked.turn());
        let value = |ply: usize| {
            let value = values.get(ply).copied().flatten()?;
            Some(match player {
                Player::First => value,
                Player::Second => value.turned(),
            })
        };
        let insight = insights.get(ply).and_then(Option::as_ref);
        judgements.push(judge(insight, player, mv, [value(ply), value(ply + 1)]));
    }
    judgements.reverse();
    judgements
}

/// Carries proved results back over moves whose search did not see them, from the end of the line
/// on: the next position is searched deeper.
fn corrected(
    line: &dyn AnyLine,
    insights: &[Option<PositionAnalysis>],
) -> Vec<Option<PositionAnalysis>> {
    let mut insights = insights.to_vec();
    let mut walked = line.clone_line();
    let mut next = score_for_first(
        &*walked,
        insights.get(walked.moves().len()).and_then(Option::as_ref),
    );
    while let Some(mv) = walked.undo() {
        let ply = walked.moves().len();
        let proved = next.filter(|score| score.is_proven() || score.is_by_proof());
        if let (Some(proved), Some(Some(insight))) = (proved, insights.get_mut(ply)) {
            let for_mover = match walked.turn() {
                Player::First => proved,
                Player::Second => proved.turned(),
            };
            *insight = insight.corrected(mv, for_mover.a_ply_earlier());
        }
        next = score_for_first(&*walked, insights.get(ply).and_then(Option::as_ref));
    }
    insights
}

fn judge(
    insight: Option<&PositionAnalysis>,
    player: Player,
    mv: Move,
    [before, after]: [Option<Score>; 2],
) -> Judgement {
    let loss = insight.and_then(|insight| insight.loss(mv, after));
    let grade = insight.and_then(|insight| insight.grade(mv, after));
    let turning = before.zip(loss).is_some_and(|(before, loss)| {
        grade.is_some() && ahead(before.balance()) != ahead(before.balance() - loss)
    });
    Judgement {
        player,
        mv,
        before,
        after: insight
            .and_then(|insight| insight.comparable(mv, after))
            .or(after),
        best: insight.and_then(|insight| insight.best),
        pv: insight.map_or_else(Vec::new, |insight| insight.pv.clone()),
        loss,
        grade,
        turning,
    }
}

/// Returns which side is ahead: 1, 0 or -1. Less than a twentieth of the range counts as even.
fn ahead(balance: f32) -> i32 {
    match balance {
        b if b > 0.05 => 1,
        b if b < -0.05 => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyGame;

    #[test]
    fn a_mistake_is_one_by_the_same_search_and_may_turn_the_game() {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend("f5").unwrap();
        let [played, best] = ["f5", "d3"].map(|text| game.parse_move(text).unwrap());
        let judged = |before: f32, among: f32, after: f32| {
            let insight = |score: f32, moves: &[(Move, f32)]| {
                Some(PositionAnalysis {
                    best: Some(best),
                    score: Some(Score::about_discs(score)),
                    moves: moves
                        .iter()
                        .map(|(mv, score)| (*mv, Score::about_discs(*score)))
                        .collect(),
                    pv: vec![best],
                })
            };
            let scores = [(best, before), (played, among)];
            let insights = [insight(before, &scores), insight(-after, &[])];
            judgements(&*line, &insights).remove(0)
        };
        // The next search differs by four discs, the one before sees no difference.
        assert_eq!(judged(2.0, 2.0, -2.0).grade, None);
        let mistake = judged(2.0, -3.0, -2.0);
        assert_eq!(
            (mistake.grade, mistake.loss),
            (Some(Grade::Inaccuracy), Some(5.0))
        );
        let grades = [-4.5, -10.5].map(|among| judged(2.0, among, -2.0).grade);
        assert_eq!(grades, [Some(Grade::Mistake), Some(Grade::Blunder)]);
        assert_eq!(mistake.better(), Some(best));
        assert!(mistake.turning && !judged(9.0, 4.0, 5.0).turning);
    }

    #[test]
    fn before_less_after_is_the_loss() {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend("f5").unwrap();
        let [played, best] = ["f5", "d3"].map(|text| game.parse_move(text).unwrap());
        let about = Score::about_discs;
        let insights = [
            Some(PositionAnalysis {
                best: Some(best),
                score: Some(about(3.0)),
                moves: vec![(best, about(3.0)), (played, about(-2.0))],
                pv: vec![best],
            }),
            // The next search finds another number.
            Some(PositionAnalysis {
                score: Some(about(8.0)),
                ..PositionAnalysis::default()
            }),
        ];
        let judgement = judgements(&*line, &insights).remove(0);
        let [before, after] =
            [judgement.before, judgement.after].map(|score| score.unwrap().balance());
        assert_eq!(judgement.loss, Some(before - after));
        assert_eq!(judgement.loss, Some(5.0));
    }

    #[test]
    fn a_move_that_was_thought_best_and_loses_is_a_mistake_if_another_was_not_refuted() {
        let game: AnyGame = "tictactoe:15x15:5".parse().unwrap();
        let mut line = game.line();
        line.extend("113 145").unwrap();
        let played = line.moves()[1];
        let other = game.parse_move("112").unwrap();
        let lost = Some(PositionAnalysis {
            score: Some(Score::result(1).in_plies(9).by_proof()),
            ..PositionAnalysis::default()
        });
        let believed = Some(PositionAnalysis {
            best: Some(played),
            score: Some(Score::chance(0.46)),
            moves: vec![(played, Score::chance(0.46)), (other, Score::chance(0.44))],
            pv: vec![played],
        });
        let judgement = judgements(&*line, &[None, believed, lost]).remove(1);
        assert!(judgement.grade.is_some(), "{judgement:?}");
        assert_eq!(judgement.better(), Some(other));
        assert_eq!(judgement.after.and_then(Score::proven), Some(-1));
    }
}
