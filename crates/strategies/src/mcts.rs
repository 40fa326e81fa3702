//! Monte Carlo tree search with UCT (Kocsis and Szepesvári 2006), for any game.
//!
//! It believes that a move is good if random games after it are often won, and spends its playouts
//! where they have gone well.

use papan_rules::{Game, Line, Move, Outcome, Player, SplitMix, play_out};

use crate::{
    Candidate, Context, Decision, LimitChecker, NoMove, Progress, Score, Strategy, Term, Turn,
};

/// UCT with random playouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mcts {
    /// Playouts per move. Without, as many as the decision's time allows, or
    /// [`Mcts::DEFAULT_PLAYOUTS`] where there is no limit in time.
    pub playouts: Option<u32>,
    /// A seed of its own; without, the game's.
    pub seed: Option<u64>,
}

impl Mcts {
    /// Playouts per move when neither their number nor the time is given.
    pub const DEFAULT_PLAYOUTS: u32 = 1000;
}

/// One playout of a search, for traces.
#[derive(Clone, Debug, PartialEq)]
pub struct Playout {
    /// The moves from the root to a leaf of the tree (selection).
    pub selected: Vec<Move>,
    /// Number of moves that were added to the tree below that leaf (expansion); 0 for none.
    pub expanded: usize,
    /// The move to the first of them.
    pub entered: Option<Move>,
    /// The random moves from there to the end of the game (simulation).
    pub simulated: Vec<Move>,
    /// The result of the game.
    pub outcome: Option<Outcome>,
    /// The positions below the root to which the result was added, with their new visits and means.
    pub backed_up: Vec<Candidate>,
    /// The moves of the root.
    pub candidates: Vec<Candidate>,
}

/// How much a little-tried move is worth trying: the constant of UCB1.
const CURIOSITY: f64 = std::f64::consts::SQRT_2;

/// A position in the tree, reached by `mv`.
struct Node {
    mv: Move,
    /// Who made that move; the node's results are counted for this player.
    mover: Player,
    visits: u32,
    /// Wins plus half the draws.
    points: f64,
    /// Indices of this node's children, once it is expanded.
    children: std::ops::Range<usize>,
}

impl Node {
    fn mean(&self) -> f64 {
        self.points / f64::from(self.visits.max(1))
    }
}

/// Maximum size of the tree in bytes; beyond it playouts start from the leaves without growing it.
const MAX_BYTES: usize = 2_000_000 * size_of::<Node>();

struct Search<'a, G: Game> {
    game: &'a G,
    random: SplitMix,
    nodes: Vec<Node>,
    /// How many nodes there may be.
    most: usize,
}

impl<G: Game> Search<'_, G> {
    /// One playout: down the tree, out of it by chance, and back up.
    fn playout(&mut self, root: &G::Position, path: &mut Vec<usize>) {
        let mut pos = self.descend(root, path);
        play_out(self.game, &mut pos, &mut self.random);
        self.back_up(path, self.game.outcome(&pos));
    }

    /// Selection and expansion: returns the position at the end of the path.
    #[inline]
    fn descend(&mut self, root: &G::Position, path: &mut Vec<usize>) -> G::Position {
        let mut pos = root.clone();
        path.clear();
        path.push(0);
        let mut at = 0;
        loop {
            if self.nodes[at].children.is_empty() {
                // A leaf grows children at its second visit.
                if (at != 0 && self.nodes[at].visits == 0) || !self.expand(at, &pos) {
                    break;
                }
            }
            at = self.most_promising(at);
            self.game.play_unchecked(&mut pos, self.nodes[at].mv);
            path.push(at);
        }
        pos
    }

    #[inline]
    fn back_up(&mut self, path: &[usize], outcome: Option<Outcome>) {
        for &node in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            let value = outcome.map_or(0, |o| o.value_for(node.mover));
            node.points += f64::from(value + 1) / 2.0;
        }
    }

    /// One playout that records what it does.
    fn recorded(&mut self, root: &G::Position, path: &mut Vec<usize>) -> Playout {
        let before = self.nodes.len();
        let mut pos = self.descend(root, path);
        let expanded = self.nodes.len() - before;
        let mut selected: Vec<Move> = path[1..].iter().map(|&at| self.nodes[at].mv).collect();
        let entered = if expanded > 0 { selected.pop() } else { None };
        let mut simulated = Vec::new();
        loop {
            // As `play_out` draws them.
            let moves: Vec<Move> = self.game.legal_moves(&pos).collect();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.random.below(moves.len())];
            pos = self.game.after(&pos, mv);
            simulated.push(mv);
        }
        let outcome = self.game.outcome(&pos);
        self.back_up(path, outcome);
        let on_path = path[1..].iter().map(|&at| self.candidate(&self.nodes[at]));
        Playout {
            selected,
            expanded,
            entered,
            simulated,
            outcome,
            backed_up: on_path.collect(),
            candidates: self.candidates(),
        }
    }

    fn expand(&mut self, at: usize, pos: &G::Position) -> bool {
        if self.nodes.len() > self.most {
            return false;
        }
        let start = self.nodes.len();
        let mover = self.game.turn(pos);
        self.nodes.extend(self.game.legal_moves(pos).map(|mv| Node {
            mv,
            mover,
            visits: 0,
            points: 0.0,
            children: 0..0,
        }));
        self.nodes[at].children = start..self.nodes.len();
        start < self.nodes.len()
    }

    fn most_promising(&self, at: usize) -> usize {
        let total = f64::from(self.nodes[at].visits.max(1)).ln();
        let promise = |node: &Node| match node.visits {
            0 => f64::INFINITY,
            visits => node.mean() + CURIOSITY * (total / f64::from(visits)).sqrt(),
        };
        let mut best = (self.nodes[at].children.start, f64::NEG_INFINITY);
        for child in self.nodes[at].children.clone() {
            let promise = promise(&self.nodes[child]);
            if promise > best.1 {
                best = (child, promise);
            }
        }
        best.0
    }
}

impl Mcts {
    /// Runs the search playout by playout, as [`Mcts::decide`](Strategy::decide) does, until `see`
    /// returns `false`; returns the best move.
    ///
    /// # Errors
    /// When the game is over.
    pub fn watch<G: Game>(
        &self,
        turn: Turn<'_, G>,
        see: &mut dyn FnMut(Playout) -> bool,
    ) -> Result<Move, NoMove> {
        let root = turn.line.position();
        let mut search = self.begin(turn.game, turn.line, turn.context)?;
        let mut path = Vec::new();
        for _ in 0..self.playouts.unwrap_or(Self::DEFAULT_PLAYOUTS) {
            if !see(search.recorded(root, &mut path)) {
                break;
            }
        }
        Ok(search.best())
    }

    /// Returns a search whose tree has the moves of the root.
    fn begin<'a, G: Game>(
        &self,
        game: &'a G,
        line: &Line<G>,
        context: &Context,
    ) -> Result<Search<'a, G>, NoMove> {
        let pos = line.position();
        let mut search = Search {
            game,
            random: SplitMix::new(context.random(self.seed, line)),
            nodes: vec![Node {
                mv: Move::PASS,
                mover: game.turn(pos).other(),
                visits: 0,
                points: 0.0,
                children: 0..0,
            }],
            most: context.limits().room_for(size_of::<Node>(), MAX_BYTES),
        };
        if !search.expand(0, pos) {
            return Err(NoMove::GameOver);
        }
        Ok(search)
    }

    fn search<'a, G: Game>(
        &self,
        game: &'a G,
        line: &Line<G>,
        context: &Context,
    ) -> Result<(Search<'a, G>, u64), NoMove> {
        let pos = line.position();
        let mut search = self.begin(game, line, context)?;
        // One playout on a large board takes many microseconds.
        let mut pace = LimitChecker::with_stride(context, 16);
        let mut path = Vec::new();
        let most = match self.playouts {
            Some(playouts) => playouts.into(),
            None if context.budget().is_limited() => u64::MAX,
            None => Self::DEFAULT_PLAYOUTS.into(),
        };
        let mut done: u64 = 0;
        while done < most {
            search.playout(pos, &mut path);
            done += 1;
            if !pace.tick() {
                break;
            }
            if done.is_multiple_of(4096) {
                context.report(&Progress {
                    nodes: done,
                    ..Progress::default()
                });
            }
        }
        Ok((search, done))
    }
}

impl<G: Game> Search<'_, G> {
    /// Returns the most visited move, the first of equals.
    fn best(&self) -> Move {
        let children = &self.nodes[self.nodes[0].children.clone()];
        let most = children.iter().map(|node| node.visits).max().unwrap_or(0);
        let best = children.iter().find(|node| node.visits == most);
        best.map_or(Move::PASS, |node| node.mv)
    }

    /// Returns the moves of the root with their visits and means.
    fn candidates(&self) -> Vec<Candidate> {
        let children = &self.nodes[self.nodes[0].children.clone()];
        children.iter().map(|node| self.candidate(node)).collect()
    }

    fn candidate(&self, node: &Node) -> Candidate {
        let mut pv = vec![node.mv];
        let mut at = node;
        while let Some(next) = self.nodes[at.children.clone()]
            .iter()
            .max_by_key(|child| child.visits)
            .filter(|child| child.visits > 0)
        {
            pv.push(next.mv);
            at = next;
        }
        Candidate {
            mv: node.mv,
            score: Some(Score::chance(node.mean() as f32)),
            pv,
            terms: vec![
                Term::deciding("visits", i64::from(node.visits)),
                Term::shown("mean", crate::Value::Real(node.mean())),
            ],
        }
    }
}

impl<G: Game> Strategy<G> for Mcts {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let (search, nodes) = self.search(game, line, context)?;
        out.clear();
        out.push(search.best());
        Ok(nodes)
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let (search, nodes) = self.search(game, line, context)?;
        Ok(Decision {
            best: search.best(),
            candidates: search.candidates(),
            nodes,
        })
    }

    fn is_nondeterministic(&self) -> bool {
        self.seed.is_none()
    }

    fn seed(&self) -> Option<u64> {
        self.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::tictactoe;

    #[test]
    fn a_seed_reproduces_the_search() {
        let game = tictactoe();
        let line = Line::parse(&game, "5").unwrap();
        let decide = |seed| {
            let context = Context::with_seed(seed);
            Mcts::default()
                .decide(Turn::new(&game, &line, &context))
                .unwrap()
        };
        assert_eq!(decide(1), decide(1));
        assert_ne!(decide(1), decide(2));
    }

    #[test]
    fn without_a_number_it_uses_the_time_and_with_one_it_does_not() {
        let game = tictactoe();
        let line = Line::new(&game);
        let limits = crate::Limits {
            time: Some(std::time::Duration::from_secs(5)),
            ..Default::default()
        };
        let nodes = |playouts| {
            let clock = crate::ManualClock::stepping(std::time::Duration::from_millis(1));
            let context = Context::default().limited(limits, &clock);
            let mut mcts = Mcts {
                playouts,
                seed: None,
            };
            let mut out = Vec::new();
            mcts.choices(Turn::new(&game, &line, &context), &mut out)
                .unwrap()
        };
        // One playout for every look at a clock that moves on by a millisecond.
        assert!((4_900..=5_000).contains(&nodes(None)), "{}", nodes(None));
        assert_eq!(nodes(Some(300)), 300);
    }

    #[test]
    fn it_finds_a_win_and_a_block() {
        let game = tictactoe();
        for (moves, cell) in [("1 4 2 5", 3), ("1 5 2", 3)] {
            let line = Line::parse(&game, moves).unwrap();
            let decision = Mcts::default().decide(Turn::new(&game, &line, &Context::default()));
            assert_eq!(decision.unwrap().best, Move::on(cell - 1));
        }
    }
}
