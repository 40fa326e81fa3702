//! The mistakes of a game, as far as the advisor has looked.

use papan_catalog::review::{Judgement, judgements};
use papan_rules::{Move, Player};

use super::Game;
use crate::analysis::Effort;
use crate::tree::NodeId;

/// A move that was worse than another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The position after it.
    pub node: NodeId,
    /// Who made it.
    pub player: Player,
    /// The move.
    pub played: Move,
    /// The better one.
    pub better: Move,
    /// How much was given away.
    pub loss: f32,
}

/// The review of a game's mistakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The position after the mistake that is looked at, if any is yet.
    pub chosen: Option<NodeId>,
}

impl Game {
    /// The mistakes of this line of play, as far as the advisor has looked.
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
            })
        };
        moves.filter_map(mistake).collect()
    }

    /// The first position of this line that the advisor has not judged.
    #[must_use]
    pub fn first_unanalysed(&self) -> Option<NodeId> {
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
