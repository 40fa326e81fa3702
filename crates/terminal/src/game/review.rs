//! Game review: the mistakes found by the advisor.

use papan_catalog::review::{Grade, Judgement, judgements};
use papan_rules::{Move, Player};

use super::Game;
use crate::analysis::Effort;
use crate::tree::NodeId;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The position after the move.
    pub node: NodeId,
    /// The player who made it.
    pub player: Player,
    /// The move that was played.
    pub played: Move,
    /// A better move.
    pub better: Move,
    /// The loss in the unit of the score.
    pub loss: f32,
    /// How bad it was.
    pub grade: Grade,
}

/// State of the review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The position after the selected mistake.
    pub chosen: Option<NodeId>,
}

impl Game {
    /// Returns the mistakes of this line, as far as it has been analysed.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Mistake> {
        let path = self.tree.path();
        let Some(&last) = path.last() else {
            return Vec::new();
        };
        let before = self.tree.line_to(path[0]).moves().len();
        let analyses = path.iter().map(|id| self.tree.node(*id).analysis.as_ref());
        let insights = analyses.map(|analysis| analysis.map(|a| a.insight.clone()));
        let insights: Vec<_> = std::iter::repeat_n(None, before).chain(insights).collect();
        let judged = judgements(&*self.tree.line_to(last), &insights);
        let moves = path[1..].iter().zip(judged.into_iter().skip(before));
        let mistake = |(node, judgement): (&NodeId, Judgement)| {
            Some(Mistake {
                node: *node,
                player: judgement.player,
                played: judgement.mv,
                better: judgement.better()?,
                loss: judgement.loss?,
                grade: judgement.grade?,
            })
        };
        moves.filter_map(mistake).collect()
    }

    /// Returns the first position of this line without an analysis.
    #[must_use]
    pub(crate) fn first_unanalysed(&self) -> Option<NodeId> {
        let path = self.tree.path();
        let over = |id: NodeId| {
            self.tree.node(id).children.is_empty() && self.tree.line_to(id).outcome().is_some()
        };
        path.into_iter().find(|&id| {
            let analysis = self.tree.node(id).analysis.as_ref();
            !analysis.is_some_and(|a| a.is_enough(Effort::Quick)) && !over(id)
        })
    }
}
