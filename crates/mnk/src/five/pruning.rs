//! Pruning by the evaluation and by a null move.

use super::search::{Node, Search};
use super::tables::MoveClass;
use crate::engine::alpha_beta::WIN_THRESHOLD;

/// Margin of reverse futility pruning per ply.
const MARGIN: i32 = 60;
/// Margin of razoring per ply.
const RAZORING_MARGIN: i32 = 220;

impl Search<'_> {
    /// Returns a score if the evaluation or a null move says that the node fails high or low.
    pub(super) fn prune(&mut self, node: Node, value: i32, is_threatened: bool) -> Option<i32> {
        let other = node.side.other();
        let threshold = i32::from(WIN_THRESHOLD);
        let is_quiet = !is_threatened
            && self.board.count_of(other, MoveClass::FourThree) == 0
            && self.board.count_of(other, MoveClass::DoubtfulFour) == 0;
        if node.is_pv() || !is_quiet || node.beta.abs() > threshold {
            return None;
        }
        let Node {
            depth, alpha, beta, ..
        } = node;
        if depth <= 5 && value - MARGIN * depth >= beta {
            return Some(value);
        }
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
