//! The choice of a move: threat search, then alpha-beta with iterative deepening.

use std::sync::Arc;

use papan_rules::{Bits as _, Move, Player};
use papan_strategies::{Context, LimitChecker, Progress, StopToken, usable_threads};

use super::alpha_beta::{AlphaBeta, RootMove, WIN_THRESHOLD, on, promising, table_key};
use super::candidates::score_of;
use super::strategy::GridEngine;
use crate::lines::{Cell, CellSet};
use crate::proof_lookup::ProvedValue;
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::threat_search::{NodeBudget, ThreatSearch};
use crate::win_proof::WinProof;

/// Maximum number of root moves, unless a threat restricts them.
const ROOT_WIDTH: usize = 30;

/// Node budget of the threat search.
const BUDGET: NodeBudget = NodeBudget {
    vcf: 3_000,
    orders: [2_000, 100, 100],
};

/// The result of the analysis of a position.
#[derive(Default)]
pub(super) struct Analysis {
    /// The root moves, best first.
    pub(super) moves: Vec<RootMove>,
    /// A win found by the threat search.
    pub(super) won: Option<Arc<WinProof>>,
    /// A win by continuous fours, by the rule, as moves of both sides.
    pub(super) winning_line: Option<Vec<Cell>>,
    /// The value from the proof lookup.
    pub(super) proved: Option<ProvedValue>,
    pub(super) depth: u8,
    pub(super) nodes: u64,
}

impl Analysis {
    /// Returns whether the first move is proved to win.
    pub(super) fn is_won(&self) -> bool {
        self.won.is_some()
            || self.winning_line.is_some()
            || matches!(self.proved, Some(ProvedValue::Win { .. }))
    }

    /// Puts a proved move first: the winning move, or, unless the threat search found a win, the
    /// best of the moves that keep the draw.
    pub(super) fn apply_proof(&mut self, state: &State, side: Player, proved: ProvedValue) {
        match proved {
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
        self.proved = Some(proved);
    }
}

/// Returns a winning move, followed by others to compare it with.
fn with_others(state: &State, side: Player, cell: Cell) -> Vec<RootMove> {
    let others = promising(state, side, state.empty(), ROOT_WIDTH, &[])
        .into_iter()
        .filter(|&other| other != cell);
    std::iter::once(cell)
        .chain(others.take(ROOT_WIDTH))
        .map(RootMove::new)
        .collect()
}

/// Returns the first move of a game: the cell on the most lines, nearest to the middle of the cell
/// order among equals.
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
    /// Scores every promising move with a plain search of fixed depth.
    pub(super) fn score_all_moves(
        &self,
        state: &State,
        side: Player,
        context: &Context,
    ) -> Analysis {
        let mut cells = promising(state, side, CellSet::EMPTY, ROOT_WIDTH, &[]);
        if cells.is_empty() {
            cells = state.empty().cells().map(|cell| cell as Cell).collect();
        }
        let mut moves: Vec<RootMove> = cells.into_iter().map(RootMove::new).collect();
        let nodes = self.nodes(context).unwrap_or(u64::MAX);
        let limits = LimitChecker::with_stride(&context.with_nodes(nodes), 64);
        let mut search = AlphaBeta::new(state.clone(), &self.table, limits).without_vcf();
        let max_depth = self.depth(context);
        let mut depth = 0;
        // Iterative deepening: when a limit stops the search, the last full iteration counts.
        for next in 0..=max_depth {
            if !search.score_all(side, &mut moves, next) {
                break;
            }
            depth = next;
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        Analysis {
            moves,
            depth,
            nodes: search.limits.nodes(),
            ..Analysis::default()
        }
    }

    /// Analyses a position: threat search first, then alpha-beta with the remaining limits.
    pub(super) fn analyse(&self, state: &mut State, side: Player, context: &Context) -> Analysis {
        let nodes = self.nodes(context);
        let mut analysis = Analysis {
            depth: 1,
            ..Analysis::default()
        };
        // Step 1. Search for a win, with a third of the limits.
        let first = context.budget().first(1, 3);
        let stop = context.stop.clone();
        let halt = move || first.is_spent() || stop.is_stopped();
        let mut threats = ThreatSearch::new(BUDGET, Box::new(halt));
        threats.limit_nodes(nodes.map_or(u64::MAX, |nodes| nodes / 3));
        analysis.won = (1..=2).find_map(|order| threats.win(state, side, order));
        if let Some(cell) = analysis.won.as_ref().and_then(|proof| proof.first()) {
            analysis.moves = with_others(state, side, cell);
            analysis.nodes = threats.nodes();
            return analysis;
        }
        // Step 2. Search for a threat of the opponent, and restrict the moves to those that may
        // refute it.
        let mut among = state.completing_cells(side.other());
        let mut threat = None;
        if among.is_empty() {
            threat = (1..=2).find_map(|order| threats.win(state, side.other(), order));
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
            cells = self.not_refuted(state, side, &cells, &mut threats);
        }
        analysis.nodes = threats.nodes();
        analysis.moves = cells.into_iter().map(RootMove::new).collect();
        // Step 3. Alpha-beta.
        if analysis.moves.len() > 1 {
            self.deepen(state, side, context, &mut analysis);
        }
        analysis
    }

    /// Leaves out moves that the threat search refutes, unless it refutes all.
    fn not_refuted(
        &self,
        state: &mut State,
        side: Player,
        cells: &[Cell],
        threats: &mut ThreatSearch,
    ) -> Vec<Cell> {
        let survives = |&cell: &Cell| {
            state.put(cell, side);
            let lost = state.completing(side).is_none()
                && (1..=2).any(|order| threats.win(state, side.other(), order).is_some());
            state.remove(cell, side);
            !lost
        };
        let left: Vec<Cell> = cells.iter().copied().filter(survives).collect();
        if left.is_empty() {
            cells.to_vec()
        } else {
            left
        }
    }

    /// Runs iterative deepening on all threads (lazy SMP: helpers share the transposition table).
    fn deepen(&self, state: &State, side: Player, context: &Context, analysis: &mut Analysis) {
        let nodes = self.nodes(context);
        let left = nodes.map(|nodes| nodes.saturating_sub(analysis.nodes).max(1));
        let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
        let max_depth = self.depth(context);
        let done = StopOnDrop(StopToken::default());
        std::thread::scope(|scope| {
            for helper in 1..usable_threads(self.options.threads) {
                let mut moves = analysis.moves.clone();
                let mut context = inner.clone();
                context.stop = done.0.clone();
                scope.spawn(move || {
                    let limits = LimitChecker::with_stride(&context, 64);
                    let mut search = AlphaBeta::new(state.clone(), &self.table, limits);
                    for depth in 1 + helper as u8 % 2..=max_depth {
                        if !search.root(side, &mut moves, depth) || search.limits.is_over() {
                            break;
                        }
                    }
                });
            }
            let limits = LimitChecker::with_stride(&inner, 64);
            let mut search = AlphaBeta::new(state.clone(), &self.table, limits);
            let mut moves = analysis.moves.clone();
            for depth in 1..=max_depth {
                let is_complete = search.root(side, &mut moves, depth);
                if is_complete {
                    analysis.moves.clone_from(&moves);
                    analysis.depth = depth;
                }
                let nodes = analysis.nodes + search.limits.nodes();
                if let Some(best) = analysis.moves.first() {
                    context.report(&Progress {
                        depth: u32::from(analysis.depth),
                        nodes,
                        score: Some(score_of(best.score)),
                        pv: self.principal_variation(state, side, best.cell),
                        ..Progress::default()
                    });
                }
                let solved = moves
                    .first()
                    .is_some_and(|mv| mv.score.abs() > WIN_THRESHOLD);
                let time_is_short = context.budget().is_past(3, 5);
                if search.limits.is_over() || solved || time_is_short {
                    break;
                }
            }
            // VCF nodes are part of evaluating a node and do not count.
            analysis.nodes += search.limits.nodes();
            drop(done);
        });
    }

    /// Returns the principal variation from the transposition table.
    pub(super) fn principal_variation(
        &self,
        state: &State,
        side: Player,
        first: Cell,
    ) -> Vec<Move> {
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
            let key = table_key(&state, side);
            let next = forced.or_else(|| self.table.probe(key).map(|entry| entry.cell));
            match next.filter(|&next| usize::from(next) < state.lines().cells()) {
                Some(next) if state.owner(next).is_none() => cell = next,
                _ => break,
            }
            cells.push(cell);
        }
        cells.into_iter().map(on).collect()
    }
}

/// Stops the helpers when the main search returns or panics.
pub(super) struct StopOnDrop(pub(super) StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
