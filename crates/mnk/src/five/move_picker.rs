//! Move ordering: the move of the transposition table, then by the threats that a stone makes and
//! prevents, and by history.

use papan_rules::{Bits as _, Player, Wide};

use super::board::Board;
use super::search::MAX_PLY;
use crate::lines::Cell;

/// What earlier searches say about quiet moves.
pub(crate) struct MoveHistory {
    /// Butterfly history with gravity.
    scores: [Vec<i32>; 2],
    killers: Vec<[Cell; 2]>,
    /// The reply that last refuted a move.
    counters: [Vec<Cell>; 2],
}

/// No cell.
const NONE: Cell = Cell::MAX;
/// Bound of history scores.
const MAX_HISTORY: i32 = 16_384;

impl MoveHistory {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            scores: [vec![0; cells], vec![0; cells]],
            killers: vec![[NONE; 2]; MAX_PLY + 2],
            counters: [vec![NONE; cells], vec![NONE; cells]],
        }
    }

    pub(super) fn of(&self, side: Player, cell: Cell) -> i32 {
        self.scores[side.index()][usize::from(cell)]
    }

    fn add(&mut self, side: Player, cell: Cell, bonus: i32) {
        let score = &mut self.scores[side.index()][usize::from(cell)];
        *score += bonus - *score * bonus.abs() / MAX_HISTORY;
    }

    /// Rewards the move that refuted a position over those tried before it.
    pub(super) fn reward(
        &mut self,
        board: &Board,
        side: Player,
        ply: usize,
        cell: Cell,
        tried: &[Cell],
        depth: i32,
    ) {
        let bonus = (16 * depth * depth + 32 * depth).min(1800);
        self.add(side, cell, bonus);
        for &cell in tried {
            self.add(side, cell, -bonus);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != cell {
            (*second, *first) = (*first, cell);
        }
        if let Some(last) = board.last() {
            self.counters[side.index()][usize::from(last)] = cell;
        }
    }
}

/// The moves of a node, best first.
pub(super) struct MovePicker {
    moves: Vec<(i32, Cell)>,
    next: usize,
}

impl MovePicker {
    pub(super) fn new(
        board: &Board,
        side: Player,
        cells: Wide,
        first: Option<Cell>,
        history: &MoveHistory,
        ply: usize,
    ) -> Self {
        let killers = history.killers[ply];
        let counter = board.last().map_or(NONE, |last| {
            history.counters[side.index()][usize::from(last)]
        });
        let score = |cell: usize| {
            let cell = cell as Cell;
            if Some(cell) == first {
                return (i32::MAX, cell);
            }
            let mut score = 16 * move_score(board, side, cell) + history.of(side, cell) / 16;
            score += 400 * i32::from(killers[0] == cell);
            score += 250 * i32::from(killers[1] == cell);
            score += 300 * i32::from(counter == cell);
            (score, cell)
        };
        Self {
            moves: cells.cells().map(score).collect(),
            next: 0,
        }
    }

    pub(super) fn next(&mut self) -> Option<Cell> {
        let rest = self.moves.get_mut(self.next..)?;
        let at = (0..rest.len()).max_by_key(|&at| rest[at].0)?;
        rest.swap(0, at);
        self.next += 1;
        Some(rest[0].1)
    }
}

/// Returns the static ordering score of a move.
pub(crate) fn move_score(board: &Board, side: Player, cell: Cell) -> i32 {
    let [makes, _] = board.values().order(side.index(), board.code(side, cell));
    let [_, stops] = board
        .values()
        .order(side.other().index(), board.code(side.other(), cell));
    i32::from(makes) + i32::from(stops)
}
