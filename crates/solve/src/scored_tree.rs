//! The tree of a strategy that scores moves, as document 003 draws it: its own moves are scored and
//! only the best is followed, by every reply to it.

use papan_rules::{Line, Move, Player, Symmetric};
use papan_strategies::{Context, NoMove, StopToken, Strategy, Turn};

use crate::tree_node::{Label, TreeNode};

/// A recorder of the tree of a strategy.
pub struct ScoredTree<'a, G: Symmetric> {
    /// The game.
    pub game: &'a G,
    /// The strategy.
    pub strategy: &'a mut dyn Strategy<G>,
    /// Whether symmetric siblings are merged.
    pub merge: bool,
    /// Ends the recording early, with any tree.
    pub stop: StopToken,
}

impl<G: Symmetric> ScoredTree<'_, G> {
    /// Returns `shown` plies of the tree from the end of a line. The strategy plays for the side to
    /// move there.
    ///
    /// # Errors
    /// If the strategy has no move somewhere.
    pub fn from(&mut self, line: &Line<G>, shown: u32) -> Result<TreeNode, NoMove> {
        let player = self.game.turn(line.position());
        let mut root = self.node(line, None, player, shown)?;
        root.best = true;
        Ok(root)
    }

    fn node(
        &mut self,
        line: &Line<G>,
        mv: Option<Move>,
        player: Player,
        left: u32,
    ) -> Result<TreeNode, NoMove> {
        let mut node = TreeNode::of(self.game, line.position(), mv);
        if left == 0 || node.outcome.is_some() || self.stop.is_stopped() {
            return Ok(node);
        }
        let decision = if node.turn == player {
            let context = Context::default().stopped_by(&self.stop);
            Some(self.strategy.decide(Turn::new(self.game, line, &context))?)
        } else {
            None
        };
        for mv in self.game.legal_moves(line.position()) {
            let mut next = line.clone();
            next.play(self.game, mv)
                .expect("legal_moves yields legal moves");
            if self.merge && node.merge_twin(self.game, next.position(), mv) {
                continue;
            }
            let followed = decision.as_ref().is_none_or(|d| d.best == mv);
            let mut child = if followed {
                self.node(&next, Some(mv), player, left - 1)?
            } else {
                TreeNode::of(self.game, next.position(), Some(mv))
            };
            child.pruned = !followed;
            if let Some(decision) = &decision {
                let mut candidates = decision.candidates.iter();
                let weighed = candidates.find(|candidate| candidate.mv == mv);
                child.label = weighed.cloned().map(Label::Scored);
                child.best = followed;
            }
            node.nodes += child.nodes;
            node.children.push(child);
        }
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::tictactoe;
    use papan_strategies::BranchAndBound;

    fn tree(moves: &str, shown: u32, merge: bool) -> TreeNode {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let mut tree = ScoredTree {
            game: &game,
            strategy: &mut BranchAndBound::default(),
            merge,
            stop: StopToken::default(),
        };
        tree.from(&line, shown).unwrap()
    }

    /// Checks that the tree agrees with the strategy.
    fn follows_the_strategy(node: &TreeNode, line: &Line<papan_rules::Grid<u64>>, own: bool) {
        let game = tictactoe();
        if node.children.is_empty() {
            return;
        }
        let decision =
            BranchAndBound::default().decide(Turn::new(&game, line, &Context::default()));
        let decision = decision.unwrap();
        for child in &node.children {
            let mv = child.mv.unwrap();
            let mut next = line.clone();
            next.play(&game, mv).unwrap();
            if own {
                assert_eq!(child.best, mv == decision.best);
                assert_eq!(child.pruned, !child.best);
                let weighed = decision.candidates.iter().find(|c| c.mv == mv);
                assert_eq!(child.label, weighed.cloned().map(Label::Scored));
            } else {
                assert_eq!(child.label, None);
                assert!(!child.pruned);
            }
            follows_the_strategy(child, &next, !own);
        }
    }

    #[test]
    fn its_own_moves_are_bounded_and_every_reply_is_followed() {
        let game = tictactoe();
        for moves in ["1", "5", "1 5 9", "1 2 4 5"] {
            let line = Line::parse(&game, moves).unwrap();
            let root = tree(moves, 3, false);
            follows_the_strategy(&root, &line, true);
            let empty = 9 - line.moves().len();
            assert_eq!(root.children.len(), empty, "{moves}");
            let best = root.children.iter().find(|child| child.best).unwrap();
            if best.outcome.is_none() {
                assert_eq!(best.children.len(), empty - 1, "{moves}");
            }
        }
    }

    #[test]
    fn symmetric_moves_are_merged_and_the_heaviest_stays() {
        let root = tree("5", 1, true);
        let twins: Vec<usize> = root.children.iter().map(|c| c.twins.len()).collect();
        assert_eq!(twins, [3, 3]);
        assert!(root.children[0].best);
    }
}
