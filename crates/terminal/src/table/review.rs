//! The mistakes of a game, as far as the advisor has looked.

use papan_rules::{Move, Player};

use super::Table;
use crate::analysis::{self, Effort};
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

impl Table {
    /// The mistakes of this line of play, as far as the advisor has looked.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Mistake> {
        let path = self.tree.path();
        let mut line = self.tree.line_to(path[0]);
        let mut mistakes = Vec::new();
        for pair in path.windows(2) {
            let (before, after) = (self.tree.node(pair[0]), self.tree.node(pair[1]));
            let Some(played) = after.mv else { continue };
            let judged = before.analysis.as_ref();
            if let Some(analysis) = judged
                && let Some(loss) = analysis::loss(analysis, played)
            {
                mistakes.push(Mistake {
                    node: pair[1],
                    player: line.turn(),
                    played,
                    better: analysis.best,
                    loss,
                });
            }
            if line.play(played).is_err() {
                break;
            }
        }
        mistakes
    }

    /// The first position of this line that the advisor has not judged.
    #[must_use]
    pub fn unjudged(&self) -> Option<NodeId> {
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
