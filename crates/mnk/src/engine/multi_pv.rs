//! MultiPV: an exact score of the same depth for every root move, so that moves can be compared.
//!
//! The main search gives only the best move an exact score; the others have bounds.

use papan_rules::Player;
use papan_strategies::{Context, LimitChecker};

use super::alpha_beta::{AlphaBeta, RootMove, WIN};
use super::strategy::GridEngine;
use crate::lines::Cell;
use crate::state::State;

impl GridEngine {
    /// Scores every move with a full window, by iterative deepening up to `max_depth`, within as
    /// many nodes as the main search had or the rest of the time. The first move stays first and
    /// the others are sorted by score. Returns the nodes searched.
    ///
    /// A first move that `is_choice` of the main search keeps its score: no other move was better
    /// there, so a higher score of a shallower comparison becomes that bound.
    pub(super) fn compare(
        &self,
        state: &State,
        side: Player,
        context: &Context,
        moves: &mut [RootMove],
        max_depth: u8,
        is_choice: bool,
    ) -> u64 {
        let choice = moves.first().filter(|mv| is_choice && mv.exact).cloned();
        // The first iteration is not limited: it only evaluates every move.
        let mut nodes = 0;
        let mut limits = LimitChecker::new(&Context::default());
        for depth in 1..=max_depth {
            let mut search = AlphaBeta::new(state.clone(), &self.table, limits);
            let mut scores = Vec::with_capacity(moves.len());
            for mv in &*moves {
                scores.push(search.score(side, mv.cell, depth));
            }
            nodes += search.limits.nodes() + search.vcf.nodes();
            if search.limits.is_over() {
                break;
            }
            for (mv, score) in moves.iter_mut().zip(scores) {
                (mv.score, mv.exact) = (score, true);
            }
            let left = self.nodes(context).map(|max| max.saturating_sub(nodes));
            if left == Some(0) || context.is_over() {
                break;
            }
            let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
            limits = LimitChecker::with_stride(&inner, 64);
        }
        order_compared(moves, choice, is_choice);
        nodes
    }
}

/// Keeps the first move, with the score of the main search if that is exact, and sorts the others by
/// score. If the limits ended the main search before it had a score, a higher score of another move
/// would contradict the choice: it is left out.
pub(super) fn order_compared(moves: &mut [RootMove], choice: Option<RootMove>, is_choice: bool) {
    if let Some((first, others)) = moves.split_first_mut() {
        let is_scored = choice.is_some();
        if let Some(choice) = choice {
            *first = choice;
        }
        for mv in others.iter_mut().filter(|mv| mv.score > first.score) {
            if is_scored {
                (mv.score, mv.capped) = (first.score, true);
            } else if is_choice {
                (mv.score, mv.exact) = (first.score, false);
            }
        }
        others.sort_by_key(|mv| std::cmp::Reverse(mv.score));
    }
}

impl AlphaBeta<'_> {
    /// Returns the score of a move with a full window.
    fn score(&mut self, side: Player, cell: Cell, depth: u8) -> i16 {
        self.state.put(cell, side);
        let score = if self.state.has_won(side) {
            WIN - 1
        } else {
            -self.search(side.other(), depth - 1, 1, -WIN, WIN)
        };
        self.state.remove(cell, side);
        score
    }
}
