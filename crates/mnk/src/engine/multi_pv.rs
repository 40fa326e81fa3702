//! Every move at the root searched to one depth, so that they can be compared.

use papan_rules::Player;
use papan_strategies::{Context, LimitChecker};

use super::alpha_beta::{AlphaBeta, RootMove, WIN};
use super::strategy::GridEngine;
use crate::state::State;

impl GridEngine {
    /// Gives every move but a proved one a score of the same depth: the deepest that all
    /// reach with as many nodes again, or in what is left of the time. The move that was
    /// chosen stays first, the others come by their scores.
    pub(super) fn compare(
        &self,
        state: &State,
        side: Player,
        context: &Context,
        (moves, deepest): (&mut [RootMove], u8),
    ) -> u64 {
        // One ply is a look at each: there is always time for that.
        let mut nodes = 0;
        let mut pace = LimitChecker::new(&Context::default());
        for depth in 1..=deepest {
            let mut search = AlphaBeta::new(state.clone(), &self.table, pace);
            let mut scores = Vec::with_capacity(moves.len());
            for mv in &*moves {
                scores.push(search.score(side, mv.cell, depth));
            }
            nodes += search.pace.nodes() + search.fours.nodes();
            if search.pace.is_over() {
                break;
            }
            for (mv, score) in moves.iter_mut().zip(scores) {
                (mv.score, mv.exact) = (score, true);
            }
            let left = self.nodes(context).map(|most| most.saturating_sub(nodes));
            if left == Some(0) || context.is_over() {
                break;
            }
            let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
            pace = LimitChecker::with_stride(&inner, 64);
        }
        if let Some((_, others)) = moves.split_first_mut() {
            others.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        }
        nodes
    }
}

impl AlphaBeta<'_> {
    /// The value of a move to a depth, whatever the others are worth.
    fn score(&mut self, side: Player, cell: crate::lines::Cell, depth: u8) -> i16 {
        self.state.put(cell, side);
        let score = if self.state.has_won(side) {
            WIN - 1
        } else {
            -self.search(side.other(), depth - 1, 1, -WIN, WIN)
        };
        self.state.take(cell, side);
        score
    }
}
