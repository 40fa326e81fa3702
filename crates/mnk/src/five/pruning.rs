//! Pruning by the evaluation and by a null move.

use super::search::{Node, Search};
use super::tables::MoveClass;
use crate::engine::alpha_beta::WIN_THRESHOLD;

/// Margin of reverse futility pruning per ply.
const MARGIN: i32 = 60;
/// Depth up to which it is used.
const MAX_DEPTH: i32 = 5;
/// Margin of razoring per ply.
const RAZORING_MARGIN: i32 = 220;

impl Search<'_> {
    /// Returns whether the evaluation of a node can be trusted to prune it.
    fn is_prunable(&self, node: Node, is_threatened: bool) -> bool {
        let other = node.side.other();
        let is_quiet = !is_threatened
            && self.board.count_of(other, MoveClass::FourThree) == 0
            && self.board.count_of(other, MoveClass::DoubtfulFour) == 0;
        !node.is_pv() && is_quiet && node.beta.abs() <= i32::from(WIN_THRESHOLD)
    }

    /// Returns a score if the evaluation says that the node fails high (reverse futility pruning).
    pub(super) fn fails_high(&self, node: Node, value: i32, is_threatened: bool) -> Option<i32> {
        let is_high = (1..=MAX_DEPTH).contains(&node.depth)
            && value - MARGIN * node.depth >= node.beta
            && self.is_prunable(node, is_threatened);
        is_high.then_some(value)
    }

    /// Returns a score if the evaluation says that the node fails low, or a null move that it fails
    /// high.
    pub(super) fn prune(&mut self, node: Node, value: i32, is_threatened: bool) -> Option<i32> {
        if !self.is_prunable(node, is_threatened) {
            return None;
        }
        let threshold = i32::from(WIN_THRESHOLD);
        let Node {
            depth, alpha, beta, ..
        } = node;
        if depth <= 2 && value + RAZORING_MARGIN * depth < alpha {
            return Some(value);
        }
        if depth >= 3 && value >= beta && !node.after_null {
            let reduced = depth - 3 - depth / 4;
            let mut child = node.child(reduced, beta - 1, beta);
            child.after_null = true;
            let score = -self.search(child);
            if score >= beta && !self.limits.is_over() {
                return Some(if score > threshold { beta } else { score });
            }
        }
        None
    }
}
