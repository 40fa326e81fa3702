//! Alpha-beta (principal variation search) over the most promising cells, with VCF at every node.
//!
//! Moves are limited to a beam of the best-scored cells. Forced blocks are searched without
//! reducing the depth, a VCF of the opponent restricts the moves to its relevance zone, and late
//! moves are reduced.

use papan_rules::{Bits, Move, Player};
use papan_strategies::LimitChecker;

use super::tt::{Bound, Entry, TranspositionTable};
use crate::lines::{Cell, CellSet};
use crate::move_ordering::score_cell;
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::vcf::VcfSearch;
use crate::win_proof::WinProof;

/// Score of a win at the root; a win in n plies scores `WIN - n`. The side to move at `ply` makes move
/// `ply + 1` of the line.
pub(crate) const WIN: i16 = 30_000;
/// Scores beyond this are wins seen to the end.
pub(crate) const WIN_THRESHOLD: i16 = 29_000;
/// Bound of the static evaluation.
pub(crate) const MAX_EVAL: i16 = 28_000;

/// The search of one thread.
pub(crate) struct AlphaBeta<'a> {
    pub(crate) state: State,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) vcf: VcfSearch,
    pub(crate) limits: LimitChecker,
    /// History heuristic: cells that caused cutoffs.
    pub(crate) history: Vec<i32>,
    /// Weight of a live line by its stones.
    pub(crate) weights: Vec<i32>,
    /// Node limit of each VCF search; 0 disables it.
    vcf_nodes: u64,
}

/// A root move with its score.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) cell: Cell,
    pub(crate) score: i16,
    /// Whether the score is exact; otherwise it is an upper bound.
    pub(crate) exact: bool,
    /// Whether the main search bounds the score: its choice is not worse.
    pub(crate) capped: bool,
    /// The principal variation, beginning with the move; empty if it is in the table.
    pub(crate) line: Vec<Cell>,
}

/// Returns the move on a cell.
pub(crate) fn on(cell: Cell) -> Move {
    Move::on(usize::from(cell))
}

impl RootMove {
    /// Creates a move that has no score yet.
    pub(crate) fn new(cell: Cell) -> Self {
        Self {
            cell,
            score: 0,
            exact: false,
            capped: false,
            line: Vec::new(),
        }
    }

    pub(crate) fn as_move(&self) -> Move {
        on(self.cell)
    }
}

/// Node limit of a VCF search inside the tree.
const VCF_NODES: u64 = 120;
/// Maximum number of moves per node.
const WIDTH: usize = 14;
/// Ply beyond which forced blocks are no longer followed.
const MAX_PLY: i16 = 120;

impl<'a> AlphaBeta<'a> {
    pub(crate) fn new(state: State, table: &'a TranspositionTable, limits: LimitChecker) -> Self {
        let (cells, length) = (state.lines().cells(), state.length());
        Self {
            history: vec![0; cells],
            weights: weights(length),
            vcf: VcfSearch::new(),
            vcf_nodes: VCF_NODES,
            state,
            table,
            limits,
        }
    }

    /// Disables the VCF searches.
    pub(crate) fn without_vcf(self) -> Self {
        Self {
            vcf_nodes: 0,
            ..self
        }
    }

    /// Returns the static evaluation for the side to move: the weighted live lines of both sides.
    fn evaluate(&self, side: Player) -> i16 {
        let length = self.state.length();
        let mut sum = 0_i32;
        for count in 1..length {
            let weight = self.weights[count];
            let own = self.state.line_count(side, count) as i32;
            let others = self.state.line_count(side.other(), count) as i32;
            // The side to move is about to add a stone.
            sum += weight * (own * 5 / 4 - others);
        }
        sum.clamp(-i32::from(MAX_EVAL), i32::from(MAX_EVAL)) as i16
    }

    /// Searches all root moves to a depth and moves the best to the front. Returns `false` if the
    /// limits stopped it before the first move had a score.
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
            if at > 0 && score > alpha && !self.limits.is_over() {
                score = -self.search(side.other(), depth - 1, 1, -WIN, -alpha);
            }
            self.state.remove(cell, side);
            if self.limits.is_over() {
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

    /// Gives every root move an exact score at this depth. Returns `false`, without changing any
    /// score, if the limits stopped it. Depth 0 does not even see a completed line, depth 1 sees
    /// one's own, depth 2 the opponent's.
    pub(crate) fn score_all(&mut self, side: Player, moves: &mut [RootMove], depth: u8) -> bool {
        let mut scores = Vec::with_capacity(moves.len());
        for mv in &*moves {
            self.state.put(mv.cell, side);
            let score = match depth {
                0 => -self.evaluate(side.other()),
                _ if self.state.has_won(side) => WIN - 1,
                1 => -self.evaluate(side.other()),
                _ => -self.search(side.other(), depth - 2, 1, -WIN, WIN),
            };
            self.state.remove(mv.cell, side);
            scores.push(score);
            if self.limits.is_over() {
                return false;
            }
        }
        for (mv, score) in moves.iter_mut().zip(scores) {
            (mv.score, mv.exact) = (score, true);
        }
        true
    }

    pub(super) fn search(
        &mut self,
        side: Player,
        depth: u8,
        ply: i16,
        mut alpha: i16,
        beta: i16,
    ) -> i16 {
        // Step 1. Wins, draws and forced blocks.
        if !self.limits.tick() {
            return 0;
        }
        if self.state.completing(side).is_some() {
            return WIN - ply - 1;
        }
        if self.state.empty().is_empty() {
            return 0;
        }
        let threatened = self.state.completing_cells(side.other());
        if threatened.count() > 1 {
            return -WIN + ply + 2;
        }
        if let Some(cell) = threatened.first() {
            let cell = cell as Cell;
            if ply > MAX_PLY {
                return self.evaluate(side);
            }
            self.state.put(cell, side);
            let score = -self.search(side.other(), depth, ply + 1, -beta, -alpha);
            self.state.remove(cell, side);
            return score;
        }
        // Step 2. Transposition table cutoff.
        let key = table_key(&self.state, side);
        let entry = self.table.probe(key);
        if let Some(entry) = entry
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
        // Step 3. VCF.
        let two_short = self.state.length().saturating_sub(2);
        if self.vcf_nodes > 0
            && self.state.line_count(side, two_short) > 0
            && let Some(cells) = self.vcf.win(&mut self.state, side, self.vcf_nodes)
        {
            return WIN - ply - 2 * cells.len() as i16 - 1;
        }
        if depth == 0 {
            return self.evaluate(side);
        }
        // Step 4. Search the moves: PVS with late move reductions.
        let moves = self.moves(side, entry.map(|entry| entry.cell));
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
            self.state.remove(cell, side);
            if self.limits.is_over() {
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
                no_vcf: false,
            },
        );
        best
    }

    /// Returns the moves of a position, best first; `None` if no live line is left. If the opponent
    /// threatens a VCF, only moves that may refute it.
    fn moves(&mut self, side: Player, first: Option<Cell>) -> Option<Vec<Cell>> {
        let two_short = self.state.length().saturating_sub(2);
        let mut cells = CellSet::EMPTY;
        if self.vcf_nodes > 0
            && self.state.line_count(side.other(), two_short) > 0
            && let Some(won) = self.vcf.win(&mut self.state, side.other(), self.vcf_nodes)
        {
            let proof = WinProof::Fours {
                cells: won,
                then: None,
            };
            let zone =
                relevance_zone(&mut self.state, side.other(), &proof).unwrap_or(CellSet::EMPTY);
            // One's own fours gain tempo, so they may refute the VCF from outside its zone.
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

/// Orders the cells `among`, or if that is empty the `width` best cells on live lines.
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

/// Returns the weight of a live line by its stones; each stone multiplies it by four.
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

/// Returns the transposition table key of a position.
pub(super) fn table_key(state: &State, side: Player) -> u64 {
    state.hash() ^ side_key(side)
}

/// Returns the key of the side to move.
pub(crate) fn side_key(side: Player) -> u64 {
    (side.index() as u64 + 1).wrapping_mul(0xa076_1d64_78bd_642f)
}

/// Converts a win score from plies since the root to plies since this position.
pub(crate) fn to_table(score: i16, ply: i16) -> i16 {
    match score {
        s if s > WIN_THRESHOLD => s + ply,
        s if s < -WIN_THRESHOLD => s - ply,
        s => s,
    }
}

/// The inverse of [`to_table`].
pub(crate) fn from_table(score: i16, ply: i16) -> i16 {
    match score {
        s if s > WIN_THRESHOLD => s - ply,
        s if s < -WIN_THRESHOLD => s + ply,
        s => s,
    }
}
