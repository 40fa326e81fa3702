//! One-ply scoring: shared by strategies that score each move by itself and play the first of the
//! best.

use papan_rules::Move;

use crate::{Candidate, Context, Decision, NoMove, Term};

/// The score of one move.
pub(crate) trait MoveScore: Copy {
    /// Moves are compared by this; the largest wins.
    type Rank: Ord;
    fn rank(self) -> Self::Rank;
    /// Whether the move ends the comparison: the first such move is played.
    fn wins(self) -> bool {
        false
    }
    /// The numbers behind it.
    fn terms(self) -> Vec<Term>;
}

/// Returns the first of the best moves, and how many were scored; `see` is called with each. When
/// the time is up, the moves scored so far decide.
fn heaviest<S: MoveScore>(
    weighed: impl Iterator<Item = (Move, S)>,
    context: &Context,
    mut see: impl FnMut(Move, S),
) -> Result<(Move, u64), NoMove> {
    let mut best: Option<(Move, S::Rank)> = None;
    let mut count = 0;
    for (mv, weight) in weighed {
        count += 1;
        see(mv, weight);
        let rank = weight.rank();
        if best.as_ref().is_none_or(|(_, most)| rank > *most) {
            best = Some((mv, rank));
        }
        if context.is_over() {
            break;
        }
    }
    best.map(|(mv, _)| (mv, count)).ok_or(NoMove::GameOver)
}

/// The choice as `Strategy::choices` gives it.
pub(crate) fn choices<S: MoveScore>(
    weighed: impl Iterator<Item = (Move, S)>,
    context: &Context,
    out: &mut Vec<Move>,
) -> Result<u64, NoMove> {
    let (mv, count) = heaviest(weighed, context, |_, _| {})?;
    out.clear();
    out.push(mv);
    Ok(count)
}

/// All of the best moves, for strategies that may play any of them.
pub(crate) fn any_choices<S: MoveScore>(
    weighed: impl Iterator<Item = (Move, S)>,
    context: &Context,
    out: &mut Vec<Move>,
) -> Result<u64, NoMove> {
    let mut scored = Vec::new();
    let (best, count) = heaviest(weighed, context, |mv, score| scored.push((mv, score)))?;
    let most = scored
        .iter()
        .find(|(mv, _)| *mv == best)
        .map(|(_, score)| *score);
    let is_equal = |score: S| most.is_some_and(|most| !most.wins() && score.rank() == most.rank());
    out.clear();
    let equal = scored
        .iter()
        .filter(|(mv, score)| *mv == best || is_equal(*score));
    out.extend(equal.map(|(mv, _)| *mv));
    Ok(count)
}

/// The choice with its reasons.
pub(crate) fn decide<S: MoveScore>(
    weighed: impl Iterator<Item = (Move, S)>,
    context: &Context,
) -> Result<Decision, NoMove> {
    let mut candidates = Vec::new();
    let (best, nodes) = heaviest(weighed, context, |mv, weight| {
        candidates.push(Candidate::new(mv, weight.terms()));
    })?;
    Ok(Decision {
        best,
        candidates,
        nodes,
    })
}
