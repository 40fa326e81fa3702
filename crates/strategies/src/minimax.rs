//! Minimax (document 002; von Neumann 1928).
//!
//! It believes that the opponent always answers as well as possible. It plays every game to its
//! end, values a win +1, a draw 0 and a loss -1, and takes the first of the moves whose worst
//! outcome is best.

use papan_rules::{Game, Line, Move};

use crate::game_tree::{INFINITE, Tree, depth};
use crate::{Context, Decision, NoMove, Prefer, Strategy, Turn};

/// The strategy of document 002.
#[derive(Clone, Copy, Debug, Default)]
pub struct Minimax {
    /// Plies to look ahead; without, to the end of the game.
    pub depth: Option<u32>,
    /// Preference among moves of equal value.
    pub prefer: Prefer,
}

impl<G: Game, const EXPLAIN: bool> Tree<'_, G, EXPLAIN> {
    /// One node: a leaf at once, anything else by its moves.
    #[inline]
    fn minimax(&mut self, pos: &G::Position, depth: u32, ply: u32) -> i32 {
        self.pace.tick();
        match self.leaf(pos, depth, ply) {
            Some(value) => value,
            None => self.best_of_moves(pos, depth, ply),
        }
    }

    fn best_of_moves(&mut self, pos: &G::Position, depth: u32, ply: u32) -> i32 {
        if self.game.turn(pos) == self.maximiser {
            self.largest_or_smallest::<true>(pos, depth, ply)
        } else {
            self.largest_or_smallest::<false>(pos, depth, ply)
        }
    }

    /// The document's two halves in one: the largest value where the maximiser moves, else
    /// the smallest.
    #[inline]
    fn largest_or_smallest<const LARGEST: bool>(
        &mut self,
        pos: &G::Position,
        depth: u32,
        ply: u32,
    ) -> i32 {
        let mut best = if LARGEST { -INFINITE } else { INFINITE };
        if depth == 1
            && let Some(value) = self.last_ply(pos, ply, LARGEST, (-INFINITE, INFINITE))
        {
            return value;
        }
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            let value = self.minimax(&next, depth - 1, ply + 1);
            if if LARGEST { value > best } else { value < best } {
                best = value;
                self.remember(ply, mv);
            }
            if self.pace.is_late() {
                return self.unfinished(best, LARGEST);
            }
        }
        best
    }
}

impl Minimax {
    fn search<G: Game, const EXPLAIN: bool>(
        &self,
        game: &G,
        line: &Line<G>,
        context: &Context,
    ) -> Result<Decision, NoMove> {
        let tree = Tree::<G, EXPLAIN>::new(game, line, context, self.prefer);
        let depth = depth(self.depth, context);
        tree.root(line, depth, false, |tree, next, depth, _| {
            tree.minimax(next, depth, 1)
        })
    }
}

impl<G: Game> Strategy<G> for Minimax {
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
    use crate::{Limits, ManualClock, Score};
    use papan_rules::{Grid, Player, tictactoe};

    fn decide(strategy: Minimax, moves: &str) -> Decision {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let mut strategy = strategy;
        strategy
            .decide(Turn::new(&game, &line, &Context::default()))
            .unwrap()
    }

    #[test]
    fn the_empty_board_costs_the_549946_nodes_of_the_document() {
        let decision = decide(Minimax::default(), "");
        assert_eq!(decision.nodes, 549_946);
        assert_eq!(decision.best, Move::on(0));
        assert!(
            decision
                .candidates
                .iter()
                .all(|c| { c.score == Some(Score::result(0).in_plies(9)) })
        );
    }

    /// Counts a tree in which, from some node on, every position is a leaf.
    fn visit(game: &Grid<u64>, pos: &<Grid<u64> as Game>::Position, most: u64, nodes: &mut u64) {
        *nodes += 1;
        if *nodes >= most {
            return;
        }
        for mv in game.legal_moves(pos) {
            let next = game.after(pos, mv);
            visit(game, &next, most, nodes);
        }
    }

    #[test]
    fn a_search_out_of_nodes_counts_what_it_looks_at_on_its_way_back() {
        let game = tictactoe();
        for most in [2, 50, 1_000, 50_000] {
            let limits = Limits {
                nodes: Some(most),
                ..Limits::default()
            };
            let context = Context::default().limited(limits, &ManualClock::default());
            let decision = Minimax::default()
                .decide(Turn::new(&game, &Line::new(&game), &context))
                .unwrap();
            // The root, all below the first move, and the second move, not gone into.
            let mut nodes = 1;
            let next = game.after(&game.start(), Move::on(0));
            visit(&game, &next, most, &mut nodes);
            assert_eq!(decision.nodes, nodes + 1, "{most}");
        }
    }

    #[test]
    fn an_immediate_win_is_not_always_taken() {
        // Among all lines of four moves, one where X wins at once but an earlier cell
        // wins as well, later.
        let game = tictactoe();
        let found = (0..9_usize.pow(4)).find_map(|code| {
            let cells: Vec<usize> = (0..4).map(|i| code / 9_usize.pow(i) % 9).collect();
            let text: Vec<String> = cells.iter().map(|c| (c + 1).to_string()).collect();
            let line = Line::parse(&game, &text.join(" ")).ok()?;
            let wins = game.completing_cells(line.position(), Player::First);
            let context = Context::default();
            let mv = Minimax::default()
                .decide(Turn::new(&game, &line, &context))
                .ok()?
                .best;
            (wins != 0 && wins >> mv.cell()? & 1 == 0).then_some(line)
        });
        let line = found.expect("the document's claim has a counterexample after four moves");
        let mut shortest = Minimax {
            prefer: Prefer::Shortest,
            ..Minimax::default()
        };
        let decision = shortest
            .decide(Turn::new(&game, &line, &Context::default()))
            .unwrap();
        let chosen = decision.chosen().unwrap();
        assert_eq!(chosen.score, Some(Score::result(1).in_plies(1)));
    }

    #[test]
    fn a_node_limit_ends_the_search_with_a_legal_move() {
        let game = tictactoe();
        let context = Context::default().with_nodes(100);
        let decision = Minimax::default()
            .decide(Turn::new(&game, &Line::new(&game), &context))
            .unwrap();
        assert!(game.is_legal(&game.start(), decision.best));
        assert!(decision.nodes < 200, "{}", decision.nodes);
    }
}
