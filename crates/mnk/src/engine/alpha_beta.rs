//! Alpha-beta over promising cells, fours first: what the engine does when no win is
//! proved.

use papan_rules::{Bits, Move, Player};
use papan_strategies::LimitChecker;

use super::tt::{Bound, Entry, TranspositionTable};
use crate::lines::{Cell, CellSet};
use crate::move_ordering::score_cell;
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::vcf::VcfSearch;
use crate::win_proof::WinProof;

/// A win at once; later ones count less.
pub(crate) const WIN: i16 = 30_000;
/// Scores beyond this are wins that were seen to the end.
pub(crate) const WIN_THRESHOLD: i16 = 29_000;
const MAX_EVAL: i16 = 28_000;

/// A search of one thread.
pub(crate) struct AlphaBeta<'a> {
    pub(crate) state: State,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) fours: VcfSearch,
    pub(crate) pace: LimitChecker,
    /// Cells that cut off elsewhere.
    pub(crate) history: Vec<i32>,
    /// What a line with so many stones is worth.
    pub(crate) weights: Vec<i32>,
    /// Nodes of each search for a win by fours; without any there is none.
    fours_nodes: u64,
}

/// A move at the root, and what the search thinks of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) cell: Cell,
    pub(crate) score: i16,
    /// Whether the score is its value, not only more than that.
    pub(crate) exact: bool,
}

/// A move on a cell.
pub(crate) fn on(cell: Cell) -> Move {
    Move::on(usize::from(cell))
}

impl RootMove {
    /// A move that has not been looked at.
    pub(crate) fn new(cell: Cell) -> Self {
        Self {
            cell,
            score: 0,
            exact: false,
        }
    }

    pub(crate) fn as_move(&self) -> Move {
        on(self.cell)
    }
}

/// Nodes of the search for fours inside the tree.
const FOURS_NODES: u64 = 120;
/// Cells that are looked at in each position.
const WIDTH: usize = 14;

impl<'a> AlphaBeta<'a> {
    pub(crate) fn new(state: State, table: &'a TranspositionTable, pace: LimitChecker) -> Self {
        let (cells, length) = (state.lines().cells(), state.length());
        Self {
            history: vec![0; cells],
            weights: weights(length),
            fours: VcfSearch::new(),
            fours_nodes: FOURS_NODES,
            state,
            table,
            pace,
        }
    }

    /// The same, blind to wins by fours.
    pub(crate) fn without_fours(self) -> Self {
        Self {
            fours_nodes: 0,
            ..self
        }
    }

    /// The lines of both sides, weighed, as the side to move sees them.
    fn evaluate(&self, side: Player) -> i16 {
        let length = self.state.length();
        let mut sum = 0_i32;
        for count in 1..length {
            let weight = self.weights[count];
            let own = self.state.total(side, count) as i32;
            let others = self.state.total(side.other(), count) as i32;
            // Whoever is to move gains a stone on one of his.
            sum += weight * (own * 5 / 4 - others);
        }
        sum.clamp(-i32::from(MAX_EVAL), i32::from(MAX_EVAL)) as i16
    }

    /// Searches all root moves to a depth, best first; `None` when time ran out before the
    /// first was done.
    pub(crate) fn root(&mut self, side: Player, moves: &mut [RootMove], depth: u8) -> bool {
        let mut alpha = -WIN;
        for at in 0..moves.len() {
            let cell = moves[at].cell;
            self.state.put(cell, side);
            let mut score = if at == 0 {
                -self.search(side.other(), depth - 1, 1, -WIN, -alpha)
            } else {
                -self.search(side.other(), depth - 1, 1, -alpha - 1, -alpha)
            };
            if at > 0 && score > alpha && !self.pace.is_over() {
                score = -self.search(side.other(), depth - 1, 1, -WIN, -alpha);
            }
            self.state.take(cell, side);
            if self.pace.is_over() {
                return at > 0 && alpha > -WIN;
            }
            moves[at].exact = at == 0 || score > alpha;
            moves[at].score = score;
            if score > alpha {
                alpha = score;
                moves[..=at].rotate_right(1);
            }
        }
        true
    }

    /// Gives every root move its value at this depth, none the benefit of another; `false`,
    /// and no value changed, when time ran out before. At depth 0 not even a finished line
    /// is seen, at depth 1 one's own, at depth 2 the other's too.
    pub(crate) fn weigh(&mut self, side: Player, moves: &mut [RootMove], depth: u8) -> bool {
        let mut scores = Vec::with_capacity(moves.len());
        for mv in &*moves {
            self.state.put(mv.cell, side);
            let score = match depth {
                0 => -self.evaluate(side.other()),
                _ if self.state.has_won(side) => WIN,
                1 => -self.evaluate(side.other()),
                _ => -self.search(side.other(), depth - 2, 1, -WIN, WIN),
            };
            self.state.take(mv.cell, side);
            scores.push(score);
            if self.pace.is_over() {
                return false;
            }
        }
        for (mv, score) in moves.iter_mut().zip(scores) {
            (mv.score, mv.exact) = (score, true);
        }
        true
    }

    fn key(&self, side: Player) -> u64 {
        self.state.hash() ^ (side.index() as u64 + 1).wrapping_mul(0xa076_1d64_78bd_642f)
    }

    pub(super) fn search(
        &mut self,
        side: Player,
        depth: u8,
        ply: i16,
        mut alpha: i16,
        beta: i16,
    ) -> i16 {
        // Step 1. What ends the game or forces a move.
        if !self.pace.tick() {
            return 0;
        }
        if self.state.completing(side).is_some() {
            return WIN - ply;
        }
        if self.state.empty().is_empty() {
            return 0;
        }
        let threatened = self.state.completing_cells(side.other());
        if threatened.count() > 1 {
            return -WIN + ply + 1;
        }
        if let Some(cell) = threatened.first() {
            let cell = cell as Cell;
            if ply > 120 {
                return self.evaluate(side);
            }
            self.state.put(cell, side);
            let score = -self.search(side.other(), depth, ply + 1, -beta, -alpha);
            self.state.take(cell, side);
            return score;
        }
        // Step 2. What is known.
        let key = self.key(side);
        let known = self.table.find(key);
        if let Some(entry) = known
            && entry.depth >= depth
        {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }
        // Step 3. Wins by fours.
        let two_short = self.state.length().saturating_sub(2);
        if self.fours_nodes > 0
            && self.state.total(side, two_short) > 0
            && let Some(cells) = self.fours.win(&mut self.state, side, self.fours_nodes)
        {
            return WIN - ply - 2 * cells.len() as i16;
        }
        if depth == 0 {
            return self.evaluate(side);
        }
        // Step 4. Moves: where the other threatens a win by fours, only what meets it.
        let moves = self.moves(side, known.map(|entry| entry.cell));
        let Some(moves) = moves else {
            return 0;
        };
        let (mut best, mut best_cell, first_alpha) = (-WIN, moves[0], alpha);
        for (at, &cell) in moves.iter().enumerate() {
            self.state.put(cell, side);
            let other = side.other();
            let reduced = if at >= 4 && depth >= 3 { 2 } else { 1 };
            let mut score = if at == 0 {
                -self.search(other, depth - 1, ply + 1, -beta, -alpha)
            } else {
                -self.search(other, depth - reduced, ply + 1, -alpha - 1, -alpha)
            };
            if at > 0 && score > alpha && reduced > 1 {
                score = -self.search(other, depth - 1, ply + 1, -alpha - 1, -alpha);
            }
            if at > 0 && score > alpha && score < beta {
                score = -self.search(other, depth - 1, ply + 1, -beta, -alpha);
            }
            self.state.take(cell, side);
            if self.pace.is_over() {
                return 0;
            }
            if score > best {
                (best, best_cell) = (score, cell);
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                let bonus = i32::from(depth) * i32::from(depth);
                self.history[usize::from(cell)] += bonus;
                break;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            key,
            Entry {
                cell: best_cell,
                score: to_table(best, ply),
                depth,
                bound,
            },
        );
        best
    }

    /// The moves of a position, most promising first; nothing when no line is left for
    /// anybody.
    fn moves(&mut self, side: Player, first: Option<Cell>) -> Option<Vec<Cell>> {
        let two_short = self.state.length().saturating_sub(2);
        let mut cells = CellSet::EMPTY;
        if self.fours_nodes > 0
            && self.state.total(side.other(), two_short) > 0
            && let Some(won) = self
                .fours
                .win(&mut self.state, side.other(), self.fours_nodes)
        {
            let proof = WinProof::Fours {
                cells: won,
                then: None,
            };
            let zone =
                relevance_zone(&mut self.state, side.other(), &proof).unwrap_or(CellSet::EMPTY);
            // Own fours gain time; they are met by the zone's own rules.
            cells = (zone | self.state.cells_on(side, two_short)) & self.state.empty();
        }
        let mut moves = promising(&self.state, side, cells, WIDTH, &self.history);
        if moves.is_empty() {
            return None;
        }
        if let Some(first) = first
            && let Some(at) = moves.iter().position(|&cell| cell == first)
        {
            moves[..=at].rotate_right(1);
        }
        Some(moves)
    }
}

/// The most promising of some cells, or of all that matter.
pub(crate) fn promising(
    state: &State,
    side: Player,
    among: CellSet,
    width: usize,
    history: &[i32],
) -> Vec<Cell> {
    let mut cells = among;
    let restricted = !among.is_empty();
    if !restricted {
        cells = state.cells_on(side, 1) | state.cells_on(side.other(), 1);
        if cells.is_empty() {
            cells = state.cells_on(side, 0) | state.cells_on(side.other(), 0);
        }
    }
    let mut scored: Vec<(i32, Cell)> = cells
        .cells()
        .map(|cell| {
            let cell = cell as Cell;
            let past = history.get(usize::from(cell)).copied().unwrap_or(0);
            (score_cell(state, side, cell) * 16 + past.min(400), cell)
        })
        .collect();
    scored.sort_unstable_by(|a, b| b.cmp(a));
    if !restricted {
        scored.truncate(width);
    }
    scored.into_iter().map(|(_, cell)| cell).collect()
}

/// What a line with so many stones is worth: each further stone four times as much.
fn weights(length: usize) -> Vec<i32> {
    (0..=length)
        .map(|count| match count {
            0 => 0,
            _ => 2_i32
                .saturating_mul(4_i32.saturating_pow(count as u32 - 1))
                .min(2_000),
        })
        .collect()
}

/// Wins count from the position in the table, from the root in the search.
fn to_table(score: i16, ply: i16) -> i16 {
    match score {
        s if s > WIN_THRESHOLD => s + ply,
        s if s < -WIN_THRESHOLD => s - ply,
        s => s,
    }
}

fn from_table(score: i16, ply: i16) -> i16 {
    match score {
        s if s > WIN_THRESHOLD => s - ply,
        s if s < -WIN_THRESHOLD => s + ply,
        s => s,
    }
}
