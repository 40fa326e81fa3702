//! The alpha-beta pseudo-code of document 002, as printed.
//!
//! Its maximising half returns as soon as `beta > alpha`, which an open window always is; its
//! minimising half keeps the largest value and cuts when `beta < alpha`. It therefore looks at the
//! first move of the player only, and expects the opponent to help. [`crate::AlphaBeta`] is the
//! algorithm that the document means; this one runs the printed lines.

use papan_rules::{Game, Line, Move};

use crate::game_tree::{INFINITE, Tree, depth};
use crate::{Candidate, Context, Decision, NoMove, Prefer, Strategy, Term, Turn};

/// The printed pseudo-code, line by line.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlphaBetaAsPrinted {
    /// Plies to look ahead; without, to the end of the game.
    pub depth: Option<u32>,
}

/// `alpha` and `beta`, as the pseudo-code passes them.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

/// A position of the search.
struct Node<'a, P> {
    pos: &'a P,
    depth: u32,
    ply: u32,
}

impl<G: Game, const EXPLAIN: bool> Tree<'_, G, EXPLAIN> {
    /// `MaxMove`. The value of the empty `best_move` is less than any other.
    fn max_move(&mut self, node: &Node<'_, G::Position>, window: Window) -> i32 {
        self.pace.tick();
        if let Some(value) = self.leaf(node.pos, node.depth, node.ply) {
            return value;
        }
        let Window { mut alpha, beta } = window;
        let mut best = -INFINITE;
        for mv in self.game.legal_moves(node.pos) {
            let value = self.min_move(
                &Node {
                    pos: &self.game.after(node.pos, mv),
                    depth: node.depth - 1,
                    ply: node.ply + 1,
                },
                Window { alpha, beta },
            );
            if value > best {
                best = value;
                alpha = value;
                self.remember(node.ply, mv);
            }
            if beta > alpha {
                return best;
            }
        }
        best
    }

    /// `MinMove`.
    fn min_move(&mut self, node: &Node<'_, G::Position>, window: Window) -> i32 {
        self.pace.tick();
        if let Some(value) = self.leaf(node.pos, node.depth, node.ply) {
            return value;
        }
        let Window { alpha, mut beta } = window;
        let mut best = -INFINITE;
        for mv in self.game.legal_moves(node.pos) {
            let value = self.max_move(
                &Node {
                    pos: &self.game.after(node.pos, mv),
                    depth: node.depth - 1,
                    ply: node.ply + 1,
                },
                Window { alpha, beta },
            );
            if value > best {
                best = value;
                beta = value;
                self.remember(node.ply, mv);
            }
            if beta < alpha {
                return value;
            }
        }
        best
    }
}

impl AlphaBetaAsPrinted {
    /// `MaxMove` at the root: it returns after its first move, because beta is infinite.
    fn search<G: Game, const EXPLAIN: bool>(
        self,
        game: &G,
        line: &Line<G>,
        context: &Context,
    ) -> Result<Decision, NoMove> {
        let mut tree = Tree::<G, EXPLAIN>::new(game, line, context, Prefer::First);
        tree.pace.tick(); // the root is a node too
        let mut moves = game.legal_moves(line.position());
        let best = moves.next().ok_or(NoMove::GameOver)?;
        let node = Node {
            pos: &game.after(line.position(), best),
            depth: depth(self.depth, context) - 1,
            ply: 1,
        };
        let window = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        let value = tree.min_move(&node, window);
        let mut candidates = vec![Candidate::new(best, vec![Term::deciding("value", value)])];
        candidates[0].pv.extend_from_slice(tree.continuation());
        // The others were not looked at: there is nothing to say about them.
        candidates.extend(moves.map(|mv| Candidate::new(mv, Vec::new())));
        Ok(Decision {
            best,
            candidates,
            nodes: tree.pace.nodes(),
        })
    }
}

impl<G: Game> Strategy<G> for AlphaBetaAsPrinted {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let decision = self.search::<G, false>(turn.game, turn.line, turn.context)?;
        out.clear();
        out.push(decision.best);
        Ok(decision.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        self.search::<G, true>(turn.game, turn.line, turn.context)
    }

    fn is_positional(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::tictactoe;

    #[test]
    fn taken_literally_it_values_the_empty_board_at_a_win() {
        let game = tictactoe();
        let line = Line::new(&game);
        let context = Context::default();
        let decision = AlphaBetaAsPrinted::default()
            .decide(Turn::new(&game, &line, &context))
            .unwrap();
        assert_eq!(decision.best, Move::on(0));
        assert_eq!(decision.candidates[0].terms, [Term::deciding("value", 1)]);
        assert_eq!(decision.candidates.len(), 9);
    }
}
