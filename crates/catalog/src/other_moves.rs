//! Scores of the moves that a decision does not report: on large boards an engine compares only the
//! promising ones, so each of the others is scored by a short search of the position after it.

use papan_rules::Move;
use papan_strategies::{Candidate, Context, Decision, Score};

use crate::{AnyLine, Seat};

/// Returns the legal moves that a decision has no score for.
#[must_use]
pub fn unscored(line: &dyn AnyLine, decision: &Decision) -> Vec<Move> {
    let is_scored = |mv: &Move| {
        let candidate = decision.candidates.iter().find(|one| one.mv == *mv);
        candidate.is_some_and(|candidate| candidate.score.is_some())
    };
    let mut moves = line.legal_moves();
    moves.retain(|mv| !is_scored(mv));
    moves
}

/// Scores a move by a search of the position after it, from the side of the player who makes it.
#[must_use]
pub fn score_after(
    seat: &mut dyn Seat,
    line: &dyn AnyLine,
    mv: Move,
    context: &Context,
) -> Option<Score> {
    let mut next = line.clone_line();
    next.play(mv).ok()?;
    if next.outcome().is_some() {
        let unit = line.game().properties().score_unit;
        return Some(Score::from_final(unit, next.final_score(line.turn())).in_plies(1));
    }
    let decision = seat.decide(&*next, context).ok()?;
    let score = decision.chosen()?.score?;
    let is_reply = next.turn() != line.turn();
    Some(if is_reply { score.turned() } else { score }.a_ply_earlier())
}

/// Adds moves with their scores to a decision. None is better than its choice: a higher score of a
/// shorter search becomes that bound.
pub fn add_scores(decision: &mut Decision, scores: impl IntoIterator<Item = (Move, Score)>) {
    let best = decision.chosen().and_then(|chosen| chosen.score);
    for (mv, score) in scores {
        let bound = best.filter(|best| score.balance() > best.balance());
        let score = bound.map_or(score, Score::or_less);
        match decision.candidates.iter_mut().find(|one| one.mv == mv) {
            Some(candidate) => candidate.score = candidate.score.or(Some(score)),
            None => decision.candidates.push(Candidate {
                score: Some(score),
                ..Candidate::new(mv, Vec::new())
            }),
        }
    }
}
