//! What the engine comes to think of a position: a proof, or the best of a search.

use std::sync::Arc;

use papan_rules::{Bits as _, Move, Player};
use papan_strategies::{Context, LimitChecker, Progress, StopToken};

use super::alpha_beta::{AlphaBeta, RootMove, WIN_THRESHOLD, on, promising};
use super::candidates::score_of;
use super::strategy::GridEngine;
use crate::lines::{Cell, CellSet};
use crate::proof_lookup::ProvedValue;
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::threat_search::{NodeBudget, ThreatSearch};
use crate::win_proof::WinProof;

/// Moves that are looked at first.
const ROOT_WIDTH: usize = 30;

/// How hard the engine looks for proofs at each level.
const EFFORT: NodeBudget = NodeBudget {
    fours: 3_000,
    nodes: [2_000, 100, 100],
};

/// What the engine came to.
#[derive(Default)]
pub(super) struct Analysis {
    /// The move that it plays first.
    pub(super) moves: Vec<RootMove>,
    /// A win of the side to move that it proved itself.
    pub(super) won: Option<Arc<WinProof>>,
    /// What was proved of the position before.
    pub(super) known: Option<ProvedValue>,
    pub(super) depth: u8,
    pub(super) nodes: u64,
}

impl Analysis {
    /// Whether the first move certainly wins.
    pub(super) fn is_won(&self) -> bool {
        self.won.is_some() || matches!(self.known, Some(ProvedValue::Win { .. }))
    }

    /// Plays what is proved: the winning move; else, unless it found a win itself, the best
    /// of the moves that keep the draw.
    pub(super) fn follow(&mut self, state: &State, side: Player, known: ProvedValue) {
        match known {
            ProvedValue::Win { cell, .. } => {
                (self.won, self.depth) = (None, 1);
                self.moves = with_others(state, side, cell);
            }
            ProvedValue::Loss { .. } => {}
            ProvedValue::AtLeastDraw { .. } if self.won.is_some() => return,
            ProvedValue::AtLeastDraw { cells, .. } => {
                let keeps = |mv: &RootMove| cells.contains(usize::from(mv.cell));
                if let Some(at) = self.moves.iter().position(keeps) {
                    self.moves[..=at].rotate_right(1);
                } else if let Some(cell) = promising(state, side, cells, 1, &[]).first() {
                    self.moves.insert(0, RootMove::new(*cell));
                }
            }
        }
        self.known = Some(known);
    }
}

/// A winning move, and others to compare it with.
fn with_others(state: &State, side: Player, cell: Cell) -> Vec<RootMove> {
    let others = promising(state, side, state.empty(), ROOT_WIDTH, &[]);
    let others = others.into_iter().filter(|&other| other != cell);
    std::iter::once(cell)
        .chain(others.take(ROOT_WIDTH))
        .map(RootMove::new)
        .collect()
}

/// The first move: the cell on most lines, the first of those nearest to the middle.
pub(super) fn opening(state: &State) -> Analysis {
    let lines = state.lines();
    let middle = lines.cells() as i64 - 1;
    let best = (0..lines.cells() as Cell).max_by_key(|&cell| {
        let away = (2 * i64::from(cell) - middle).abs();
        (lines.through(cell).len(), -away)
    });
    Analysis {
        moves: best.map(RootMove::new).into_iter().collect(),
        depth: 1,
        nodes: 1,
        ..Analysis::default()
    }
}

impl GridEngine {
    /// Every promising move by a search of one depth, and nothing else.
    pub(super) fn weigh(&self, state: &State, side: Player, context: &Context) -> Analysis {
        let mut cells = promising(state, side, CellSet::EMPTY, ROOT_WIDTH, &[]);
        if cells.is_empty() {
            cells = state.empty().cells().map(|cell| cell as Cell).collect();
        }
        let mut moves: Vec<RootMove> = cells.into_iter().map(RootMove::new).collect();
        let nodes = self.nodes(context).unwrap_or(u64::MAX);
        let pace = LimitChecker::with_stride(&context.with_nodes(nodes), 64);
        let mut search = AlphaBeta::new(state.clone(), &self.table, pace).without_fours();
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
        Analysis {
            moves,
            depth,
            nodes: search.pace.nodes(),
            ..Analysis::default()
        }
    }

    pub(super) fn consider(&self, state: &mut State, side: Player, context: &Context) -> Analysis {
        let nodes = self.nodes(context);
        let mut analysis = Analysis {
            depth: 1,
            ..Analysis::default()
        };
        // Step 1. A win that can be proved, for a third of the time.
        let first = context.budget().first(1, 3);
        let stop = context.stop.clone();
        let halt = move || first.is_spent() || stop.is_stopped();
        let mut attack = ThreatSearch::new(EFFORT, Box::new(halt));
        attack.limit_nodes(nodes.map_or(u64::MAX, |nodes| nodes / 3));
        analysis.won = (1..=2).find_map(|level| attack.win(state, side, level));
        if let Some(cell) = analysis.won.as_ref().and_then(|proof| proof.first()) {
            analysis.moves = with_others(state, side, cell);
            analysis.nodes = attack.nodes();
            return analysis;
        }
        // Step 2. What the other side would win by, and the moves that meet it.
        let mut among = state.completing_cells(side.other());
        let mut threat = None;
        if among.is_empty() {
            threat = (1..=2).find_map(|level| attack.win(state, side.other(), level));
            if let Some(threat) = &threat
                && let Some(zone) = relevance_zone(state, side.other(), threat)
            {
                let fours = state.cells_on(side, state.length().saturating_sub(2));
                among = (zone | fours) & state.empty();
            }
        }
        let mut cells = promising(state, side, among, ROOT_WIDTH, &[]);
        if cells.is_empty() {
            cells = state.empty().cells().map(|cell| cell as Cell).collect();
        }
        if threat.is_some() && cells.len() > 1 {
            cells = self.not_refuted(state, side, &cells, &mut attack);
        }
        analysis.nodes = attack.nodes();
        analysis.moves = cells.into_iter().map(RootMove::new).collect();
        // Step 3. AlphaBeta with what is left.
        if analysis.moves.len() > 1 {
            self.deepen(state, side, context, &mut analysis);
        }
        analysis
    }

    /// Leaves out moves after which the other side is proved to win, unless all lose.
    fn not_refuted(
        &self,
        state: &mut State,
        side: Player,
        cells: &[Cell],
        attack: &mut ThreatSearch,
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

    fn deepen(&self, state: &State, side: Player, context: &Context, analysis: &mut Analysis) {
        let nodes = self.nodes(context);
        let left = nodes.map(|nodes| nodes.saturating_sub(analysis.nodes).max(1));
        let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
        let most = self.depth(context);
        let done = StopOnDrop(StopToken::default());
        std::thread::scope(|scope| {
            for helper in 1..self.options.threads {
                let mut moves = analysis.moves.clone();
                let mut context = inner.clone();
                context.stop = done.0.clone();
                scope.spawn(move || {
                    let pace = LimitChecker::with_stride(&context, 64);
                    let mut search = AlphaBeta::new(state.clone(), &self.table, pace);
                    for depth in 1 + helper as u8 % 2..=most {
                        if !search.root(side, &mut moves, depth) || search.pace.is_over() {
                            break;
                        }
                    }
                });
            }
            let pace = LimitChecker::with_stride(&inner, 64);
            let mut search = AlphaBeta::new(state.clone(), &self.table, pace);
            let mut moves = analysis.moves.clone();
            for depth in 1..=most {
                let sound = search.root(side, &mut moves, depth);
                if sound {
                    analysis.moves.clone_from(&moves);
                    analysis.depth = depth;
                }
                let nodes = analysis.nodes + search.pace.nodes();
                if let Some(best) = analysis.moves.first() {
                    context.report(&Progress {
                        depth: u32::from(analysis.depth),
                        nodes,
                        score: Some(score_of(best.score)),
                        pv: self.line(state, side, best.cell),
                        ..Progress::default()
                    });
                }
                let settled = moves
                    .first()
                    .is_some_and(|mv| mv.score.abs() > WIN_THRESHOLD);
                let saved = context.budget().is_past(3, 5);
                if search.pace.is_over() || settled || saved {
                    break;
                }
            }
            // What the limit counts; looking for fours is a part of judging a node.
            analysis.nodes += search.pace.nodes();
            drop(done);
        });
    }

    /// How the table expects play to go on.
    pub(super) fn line(&self, state: &State, side: Player, first: Cell) -> Vec<Move> {
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
            match next.filter(|&next| usize::from(next) < state.lines().cells()) {
                Some(next) if state.owner(next).is_none() => cell = next,
                _ => break,
            }
            cells.push(cell);
        }
        cells.into_iter().map(on).collect()
    }
}

/// Ends the helpers, however the search ends.
struct StopOnDrop(StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
