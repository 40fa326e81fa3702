//! Alpha-beta pruning (document 002; Knuth and Moore 1975).
//!
//! It believes the same as minimax and chooses the same moves, but stops searching a position as
//! soon as it knows that play will not reach it. The document's pseudo-code has the cutoff and the
//! comparison of its minimising half reversed; this is the algorithm it means.

use papan_rules::{Game, Line, Move};

use crate::game_tree::{INFINITE, Tree, depth};
use crate::{Context, Decision, NoMove, Prefer, Strategy, Turn};

/// Minimax that looks only where it must.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlphaBeta {
    /// Plies to look ahead; without, to the end of the game.
    pub depth: Option<u32>,
    /// Preference among moves of equal value.
    pub prefer: Prefer,
}

impl<G: Game, const EXPLAIN: bool> Tree<'_, G, EXPLAIN> {
    /// The value of a position if it lies between `alpha`, which the maximiser has
    /// already, and `beta`, which the minimiser has; else a bound on it.
    fn alphabeta(&mut self, pos: &G::Position, depth: u32, ply: u32, window: (i32, i32)) -> i32 {
        self.pace.tick();
        if let Some(value) = self.leaf(pos, depth, ply) {
            return value;
        }
        let (mut alpha, mut beta) = window;
        let maximising = self.game.turn(pos) == self.maximiser;
        if depth == 1
            && let Some(value) = self.last_ply(pos, ply, maximising, window)
        {
            return value;
        }
        let mut best = if maximising { -INFINITE } else { INFINITE };
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            let value = self.alphabeta(&next, depth - 1, ply + 1, (alpha, beta));
            if if maximising {
                value > best
            } else {
                value < best
            } {
                best = value;
                self.remember(ply, mv);
            }
            if maximising {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
            if self.pace.is_late() {
                return self.unfinished(best, maximising);
            }
        }
        best
    }
}

impl AlphaBeta {
    fn search<G: Game, const EXPLAIN: bool>(
        &self,
        game: &G,
        line: &Line<G>,
        context: &Context,
    ) -> Result<Decision, NoMove> {
        let tree = Tree::<G, EXPLAIN>::new(game, line, context, self.prefer);
        let depth = depth(self.depth, context);
        tree.root(line, depth, true, |tree, next, depth, alpha| {
            tree.alphabeta(next, depth, 1, (alpha, INFINITE))
        })
    }
}

impl<G: Game> Strategy<G> for AlphaBeta {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let decision = self.search::<G, false>(game, line, context)?;
        out.clear();
        out.push(decision.best);
        Ok(decision.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        self.search::<G, true>(game, line, context)
    }

    fn is_positional(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Minimax;
    use papan_rules::{Notation, tictactoe};
    use std::collections::HashSet;

    #[test]
    fn the_empty_board_costs_18297_nodes() {
        let game = tictactoe();
        let decision = AlphaBeta::default()
            .decide(Turn::new(&game, &Line::new(&game), &Context::default()))
            .unwrap();
        assert_eq!((decision.nodes, decision.best), (18_297, Move::on(0)));
    }

    #[test]
    fn it_chooses_what_minimax_chooses_in_all_4520_unfinished_positions() {
        let game = tictactoe();
        let mut seen = HashSet::new();
        let mut open = vec![game.start()];
        let mut out = (Vec::new(), Vec::new());
        while let Some(pos) = open.pop() {
            if game.outcome(&pos).is_some() || !seen.insert(pos) {
                continue;
            }
            let line = Line::from_position(pos);
            for prefer in [Prefer::First, Prefer::Shortest] {
                let depth = None;
                let context = Context::default();
                let mut minimax = Minimax { depth, prefer };
                let mut alphabeta = AlphaBeta { depth, prefer };
                let all = minimax
                    .choices(Turn::new(&game, &line, &context), &mut out.0)
                    .unwrap();
                let few = alphabeta
                    .choices(Turn::new(&game, &line, &context), &mut out.1)
                    .unwrap();
                assert_eq!(out.0, out.1, "{}", game.format_position(&pos));
                assert!(few <= all);
            }
            open.extend(game.legal_moves(&pos).map(|mv| game.after(&pos, mv)));
        }
        assert_eq!(seen.len(), 4_520);
    }

    #[test]
    fn a_score_is_a_bound_exactly_where_its_number_is_one() {
        use crate::{Bound, Value};
        let game = tictactoe();
        for moves in ["", "1 5 9 3", "1 5 9", "2 1 9", "1 2 4 3"] {
            for prefer in [Prefer::First, Prefer::Shortest] {
                let line = Line::parse(&game, moves).unwrap();
                let mut alphabeta = AlphaBeta {
                    depth: None,
                    prefer,
                };
                let decision = alphabeta
                    .decide(Turn::new(&game, &line, &Context::default()))
                    .unwrap();
                for candidate in decision.candidates {
                    let term = &candidate.terms[0].value;
                    let bound = candidate.score.map(|score| score.bound());
                    let is_bound = matches!(term, Value::AtMost(_));
                    assert_eq!(bound == Some(Bound::AtMost), is_bound, "{moves} {term:?}");
                }
            }
        }
    }
}
