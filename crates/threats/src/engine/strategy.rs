//! The engine at the table: a [`Strategy`] for grids.

use std::sync::Arc;

use papan_rules::{Bits, Game as _, Grid, Line, Move, Player};
use papan_strategies::{
    Candidate, Context, Decision, Limits, NoMove, Pace, Progress, Score, StopToken, Strategy, Term,
    Value,
};

use super::search::{RootMove, SURE, Search, WIN, promising};
use super::table::Table;
use crate::attack::{Attack, Effort};
use crate::proof::Proof;
use crate::state::State;
use crate::windows::{Cell, CellSet, Windows};
use crate::zone::zone;

/// How the engine is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridEngineOptions {
    /// Plies to look ahead, beside the context's limit.
    pub depth: Option<u32>,
    /// Nodes to look at, beside the context's limit.
    pub nodes: Option<u64>,
    /// Threads that search together.
    pub threads: usize,
    /// Size of the hash table in MiB.
    pub hash_mib: usize,
    /// How it looks at a position.
    pub sight: Sight,
}

/// How the engine looks at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// Proofs and wins by fours first, then a search for the best move.
    #[default]
    Whole,
    /// A plain search of the given depth, which may be none, that weighs every promising
    /// move: what lies deeper is missed, a win by fours too.
    Plain,
}

impl Default for GridEngineOptions {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            threads: 1,
            hash_mib: 64,
            sight: Sight::Whole,
        }
    }
}

/// The engine as a strategy.
///
/// It obeys the context's limits and its own. Without any, it looks at a usual number of
/// nodes, so that its play is the same every time.
pub struct GridEngine {
    options: GridEngineOptions,
    windows: Arc<Windows>,
    pub(super) table: Table,
}

/// Nodes per move when nobody says otherwise: some tenths of a second.
const USUAL_NODES: u64 = 200_000;
/// Moves that are looked at first.
const ROOT_WIDTH: usize = 30;
const DEEPEST: u8 = 60;

/// What the engine came to.
struct Thought {
    moves: Vec<RootMove>,
    /// A proved win of the side to move.
    won: Option<Arc<Proof>>,
    /// What the other side threatens to win by, if it does.
    threat: Option<Arc<Proof>>,
    depth: u8,
    nodes: u64,
}

impl GridEngine {
    /// An engine for this board.
    #[must_use]
    pub fn new<B: Bits>(grid: &Grid<B>, options: GridEngineOptions) -> Self {
        Self {
            windows: Arc::new(Windows::new(grid)),
            table: Table::new(options.hash_mib),
            options,
        }
    }

    /// The context with the engine's own limits put in.
    pub(super) fn nodes(&self, context: &Context) -> Option<u64> {
        let given = context.limits();
        let own = &self.options;
        if *given == Limits::default() && own.depth.is_none() && own.nodes.is_none() {
            return Some(USUAL_NODES);
        }
        own.nodes.into_iter().chain(given.nodes).min()
    }

    fn depth(&self, context: &Context) -> u8 {
        let given = context.limits().depth;
        let least = self.options.depth.into_iter().chain(given).min();
        let shortest = u32::from(self.options.sight == Sight::Whole);
        least.map_or(DEEPEST, |depth| {
            depth.clamp(shortest, u32::from(DEEPEST)) as u8
        })
    }

    fn think<B: Bits>(
        &mut self,
        grid: &Grid<B>,
        line: &Line<Grid<B>>,
        context: &Context,
    ) -> Result<Thought, NoMove> {
        let position = line.position();
        if grid.outcome(position).is_some() {
            return Err(NoMove::GameOver);
        }
        let mut state = State::new(Arc::clone(&self.windows));
        for cell in 0..grid.cells() {
            if let Some(player) = grid.piece(position, cell) {
                state.put(cell as Cell, player);
            }
        }
        // A fresh table makes an answer depend on nothing but the position and the limits.
        if !context.budget().is_limited() {
            self.table.clear();
        }
        let side = grid.turn(position);
        Ok(match self.options.sight {
            Sight::Plain => self.weigh(&state, side, context),
            Sight::Whole if position.plies() == 0 => opening(&state, side),
            Sight::Whole => self.consider(&mut state, side, context),
        })
    }

    /// Every promising move by a search of one depth, and nothing else.
    fn weigh(&self, state: &State, side: Player, context: &Context) -> Thought {
        let mut cells = promising(state, side, CellSet::EMPTY, ROOT_WIDTH, &[]);
        if cells.is_empty() {
            cells = state.empty().cells().map(|cell| cell as Cell).collect();
        }
        let mut moves: Vec<RootMove> = cells.into_iter().map(RootMove::new).collect();
        let nodes = self.nodes(context).unwrap_or(u64::MAX);
        let pace = Pace::with_stride(&context.with_nodes(nodes), 64);
        let mut search = Search::new(state.clone(), &self.table, pace).without_fours();
        let most = self.depth(context);
        let mut depth = 0;
        // Depth by depth, so that a limit leaves something that was weighed alike.
        for next in 0..=most {
            if !search.weigh(side, &mut moves, next) {
                break;
            }
            depth = next;
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        Thought {
            moves,
            won: None,
            threat: None,
            depth,
            nodes: search.pace.nodes(),
        }
    }

    fn consider(&self, state: &mut State, side: Player, context: &Context) -> Thought {
        let nodes = self.nodes(context);
        let mut thought = Thought {
            moves: Vec::new(),
            won: None,
            threat: None,
            depth: 1,
            nodes: 0,
        };
        // Step 1. A win that can be proved, for a third of the time.
        let first = context.budget().first(1, 3);
        let stop = context.stop.clone();
        let halt = move || first.is_spent() || stop.is_stopped();
        let mut attack = Attack::new(EFFORT, Box::new(halt));
        attack.limit(nodes.map_or(u64::MAX, |nodes| nodes / 3));
        thought.won = (1..=2).find_map(|level| attack.win(state, side, level));
        if let Some(cell) = thought.won.as_ref().and_then(|proof| proof.first()) {
            let others = promising(state, side, state.empty(), ROOT_WIDTH, &[]);
            let others = others.into_iter().filter(|&other| other != cell);
            thought.moves = std::iter::once(cell)
                .chain(others.take(ROOT_WIDTH))
                .map(RootMove::new)
                .collect();
            thought.nodes = attack.nodes();
            return thought;
        }
        // Step 2. What the other side would win by, and the moves that meet it.
        let mut among = state.completing_cells(side.other());
        if among.is_empty() {
            thought.threat = (1..=2).find_map(|level| attack.win(state, side.other(), level));
            if let Some(threat) = &thought.threat
                && let Some(zone) = zone(state, side.other(), threat)
            {
                let fours = state.cells_on(side, state.length().saturating_sub(2));
                among = (zone | fours) & state.empty();
            }
        }
        let mut cells = promising(state, side, among, ROOT_WIDTH, &[]);
        if cells.is_empty() {
            cells = state.empty().cells().map(|cell| cell as Cell).collect();
        }
        if thought.threat.is_some() && cells.len() > 1 {
            cells = self.not_refuted(state, side, &cells, &mut attack);
        }
        thought.nodes = attack.nodes();
        thought.moves = cells.into_iter().map(RootMove::new).collect();
        // Step 3. Search with what is left.
        if thought.moves.len() > 1 {
            self.deepen(state, side, context, &mut thought);
        }
        thought
    }

    /// Leaves out moves after which the other side is proved to win, unless all lose.
    fn not_refuted(
        &self,
        state: &mut State,
        side: Player,
        cells: &[Cell],
        attack: &mut Attack,
    ) -> Vec<Cell> {
        let survives = |&cell: &Cell| {
            state.put(cell, side);
            let lost = state.completing(side).is_none()
                && (1..=2).any(|level| attack.win(state, side.other(), level).is_some());
            state.take(cell, side);
            !lost
        };
        let left: Vec<Cell> = cells.iter().copied().filter(survives).collect();
        if left.is_empty() {
            cells.to_vec()
        } else {
            left
        }
    }

    fn deepen(&self, state: &State, side: Player, context: &Context, thought: &mut Thought) {
        let nodes = self.nodes(context);
        let left = nodes.map(|nodes| nodes.saturating_sub(thought.nodes).max(1));
        let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
        let most = self.depth(context);
        let done = StopOnDrop(StopToken::default());
        std::thread::scope(|scope| {
            for helper in 1..self.options.threads {
                let mut moves = thought.moves.clone();
                let mut context = inner.clone();
                context.stop = done.0.clone();
                scope.spawn(move || {
                    let pace = Pace::with_stride(&context, 64);
                    let mut search = Search::new(state.clone(), &self.table, pace);
                    for depth in 1 + helper as u8 % 2..=most {
                        if !search.root(side, &mut moves, depth) || search.pace.is_over() {
                            break;
                        }
                    }
                });
            }
            let pace = Pace::with_stride(&inner, 64);
            let mut search = Search::new(state.clone(), &self.table, pace);
            let mut moves = thought.moves.clone();
            for depth in 1..=most {
                let sound = search.root(side, &mut moves, depth);
                if sound {
                    thought.moves.clone_from(&moves);
                    thought.depth = depth;
                }
                let nodes = thought.nodes + search.pace.nodes() + search.fours.nodes();
                if let Some(best) = thought.moves.first() {
                    context.tell(&Progress {
                        depth: u32::from(thought.depth),
                        nodes,
                        score: Some(score_of(best.score)),
                        pv: self.line(state, side, best.cell),
                        ..Progress::default()
                    });
                }
                let settled = moves.first().is_some_and(|mv| mv.score.abs() > SURE);
                let saved = context.budget().is_past(3, 5);
                if search.pace.is_over() || settled || saved {
                    break;
                }
            }
            thought.nodes += search.pace.nodes() + search.fours.nodes();
            drop(done);
        });
    }

    /// How the table expects play to go on.
    fn line(&self, state: &State, side: Player, first: Cell) -> Vec<Move> {
        let mut state = state.clone();
        let mut side = side;
        let mut cells = vec![first];
        let mut cell = first;
        while cells.len() < 12 && state.owner(cell).is_none() {
            state.put(cell, side);
            side = side.other();
            if state.has_won(side.other()) {
                break;
            }
            let forced = state
                .completing(side)
                .or_else(|| state.completing(side.other()));
            let key = state.hash() ^ (side.index() as u64 + 1).wrapping_mul(0xa076_1d64_78bd_642f);
            let next = forced.or_else(|| self.table.find(key).map(|entry| entry.cell));
            match next.filter(|&next| usize::from(next) < state.windows().cells()) {
                Some(next) if state.owner(next).is_none() => cell = next,
                _ => break,
            }
            cells.push(cell);
        }
        cells.into_iter().map(on).collect()
    }

    fn candidates(&self, state: &mut State, side: Player, thought: &Thought) -> Vec<Candidate> {
        let mut candidates = Vec::with_capacity(thought.moves.len());
        for (at, mv) in thought.moves.iter().enumerate() {
            let mut candidate = Candidate::new(on(mv.cell), terms(state, side, mv.cell));
            let proof = thought.won.as_ref().filter(|_| at == 0);
            let wins = Term::deciding("wins", i64::from(proof.is_some()));
            candidate.terms.insert(0, wins);
            if let Some(proof) = proof {
                candidate.pv = winning_line(state, side, proof);
                let plies = candidate.pv.len() as u32;
                candidate.score = Some(Score::result(1).in_plies(plies));
            } else {
                candidate.pv = self.line(state, side, mv.cell);
                candidate.score = mv.exact.then(|| score_of(mv.score));
            }
            let value = Term::deciding("value", i64::from(mv.score));
            candidate.terms.insert(1, value);
            candidates.push(candidate);
        }
        candidates
    }
}

/// Ends the helpers, however the search ends.
struct StopOnDrop(StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// How hard the engine looks for proofs at each level.
const EFFORT: Effort = Effort {
    fours: 3_000,
    nodes: [2_000, 100, 100],
};

fn on(cell: Cell) -> Move {
    Move::on(usize::from(cell))
}

/// The first move: the cell on most windows, the first of those nearest to the middle.
fn opening(state: &State, _side: Player) -> Thought {
    let windows = state.windows();
    let middle = windows.cells() as i64 - 1;
    let best = (0..windows.cells() as Cell).max_by_key(|&cell| {
        let away = (2 * i64::from(cell) - middle).abs();
        (windows.through(cell).len(), -away)
    });
    Thought {
        moves: best.map(RootMove::new).into_iter().collect(),
        won: None,
        threat: None,
        depth: 1,
        nodes: 1,
    }
}

/// A number of the search as a belief: certain where it saw the end.
fn score_of(score: i16) -> Score {
    if score > SURE {
        return Score::result(1).in_plies((WIN - score).max(1) as u32);
    }
    if score < -SURE {
        return Score::result(-1).guessed();
    }
    // A lead of an open three is worth about three games of four.
    Score::chance(1.0 / (1.0 + (-f32::from(score) / 150.0).exp()))
}

/// What a move makes: fours, threes, and what it takes from the other side.
fn terms(state: &mut State, side: Player, cell: Cell) -> Vec<Term> {
    let length = state.length();
    let count = |state: &State, side: Player, lacking: usize| {
        let held = length.checked_sub(lacking);
        held.map_or(0, |held| i64::from(state.total(side, held)))
    };
    let before = [1, 2].map(|lacking| count(state, side, lacking));
    let others = [1, 2].map(|lacking| count(state, side.other(), lacking));
    state.put(cell, side);
    let after = [1, 2].map(|lacking| count(state, side, lacking));
    let left = [1, 2].map(|lacking| count(state, side.other(), lacking));
    state.take(cell, side);
    let mut terms = vec![
        Term::shown("fours", (after[0] - before[0]).max(0)),
        Term::shown("threes", (after[1] - before[1]).max(0)),
        Term::shown("stops", (others[0] - left[0] + others[1] - left[1]).max(0)),
    ];
    let makes = threat_made(state, side, cell);
    terms.extend(makes.map(|threat| Term::shown("threat", Value::Rule(threat))));
    terms
}

/// The name of the threat that a move makes, if it makes one.
fn threat_made(state: &mut State, side: Player, cell: Cell) -> Option<&'static str> {
    let two_short = state.length().checked_sub(2)?;
    state.put(cell, side);
    let named = match state.completing_cells(side).count() {
        _ if state.has_won(side) => Some("completes"),
        0 => {
            let windows: Vec<usize> = state.with_count(side, two_short).collect();
            let gaps: Vec<Cell> = windows.iter().flat_map(|&w| state.gaps(w)).collect();
            let opens = gaps.into_iter().any(|gap| {
                state.put(gap, side);
                let two = state.completing_cells(side).count() > 1;
                state.take(gap, side);
                two
            });
            opens.then_some("open-three")
        }
        1 => Some("four"),
        _ => Some("open-four"),
    };
    state.take(cell, side);
    named
}

/// A proved win against the first reply that each step names.
fn winning_line(state: &mut State, side: Player, proof: &Arc<Proof>) -> Vec<Move> {
    let mut line: Vec<(Cell, Player)> = Vec::new();
    let mut next = Some(Arc::clone(proof));
    while let Some(proof) = next.take() {
        let Some(cell) = proof.first() else { break };
        state.put(cell, side);
        line.push((cell, side));
        if state.has_won(side) {
            break;
        }
        let named = match &*proof {
            Proof::Move { answers, .. } => answers.branches.iter().find_map(|b| b.cells.first()),
            Proof::Fours { .. } => state.completing(side).map(usize::from),
        };
        let reply = named.or(state.empty().first()).map(|cell| cell as Cell);
        state.take(cell, side);
        let Some(reply) = reply else {
            state.put(cell, side);
            break;
        };
        next = proof.after(state, side, reply);
        state.put(cell, side);
        state.put(reply, side.other());
        line.push((reply, side.other()));
    }
    for &(cell, side) in line.iter().rev() {
        state.take(cell, side);
    }
    line.into_iter().map(|(cell, _)| on(cell)).collect()
}

impl<B: Bits> Strategy<Grid<B>> for GridEngine {
    fn choices(
        &mut self,
        grid: &Grid<B>,
        line: &Line<Grid<B>>,
        context: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        let thought = self.think(grid, line, context)?;
        out.clear();
        out.extend(thought.moves.first().map(|mv| on(mv.cell)));
        Ok(thought.nodes)
    }

    fn decide(
        &mut self,
        grid: &Grid<B>,
        line: &Line<Grid<B>>,
        context: &Context,
    ) -> Result<Decision, NoMove> {
        let mut thought = self.think(grid, line, context)?;
        let mut state = State::new(Arc::clone(&self.windows));
        for cell in 0..grid.cells() {
            if let Some(player) = grid.piece(line.position(), cell) {
                state.put(cell as Cell, player);
            }
        }
        let side = grid.turn(line.position());
        let proved = usize::from(thought.won.is_some());
        // A plain search has weighed them all alike already.
        if self.options.sight == Sight::Whole && line.position().plies() > 0 {
            let (depth, moves) = (thought.depth, &mut thought.moves[proved..]);
            thought.nodes += self.compare(&state, side, context, (moves, depth));
        }
        let candidates = self.candidates(&mut state, side, &thought);
        let best = candidates.first().map(|candidate| candidate.mv);
        Ok(Decision {
            best: best.ok_or_else(|| NoMove::Failed("no cell is left".into()))?,
            candidates,
            nodes: thought.nodes,
        })
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
