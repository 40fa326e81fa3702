//! A search of fixed depth for opponents of limited strength: no VCF, no pruning but alpha-beta.

use papan_rules::{Bits as _, Player};

use super::move_picker::move_score;
use super::search::Search;
use super::tables::MoveClass;
use crate::engine::alpha_beta::{RootMove, WIN};
use crate::lines::Cell;

/// Maximum number of moves per node.
const WIDTH: usize = 14;

impl Search<'_> {
    /// Gives every root move an exact score at this depth. Returns `false`, without changing any
    /// score, if the limits stopped it. Depth 0 does not even see a completed line, depth 1 sees
    /// one's own, depth 2 the opponent's.
    pub(crate) fn score_all(&mut self, side: Player, moves: &mut [RootMove], depth: u8) -> bool {
        let mut scores = Vec::with_capacity(moves.len());
        for mv in &*moves {
            let wins = self.board.class(side, mv.cell) == MoveClass::Five;
            self.board.put(mv.cell, side);
            let score = match depth {
                1.. if wins => i32::from(WIN),
                0 | 1 => -self.evaluate(side.other()),
                _ => -self.plain(side.other(), depth - 2, 1, -i32::from(WIN), i32::from(WIN)),
            };
            self.board.undo();
            scores.push(score);
            if self.limits.is_over() {
                return false;
            }
        }
        for (mv, score) in moves.iter_mut().zip(scores) {
            (mv.score, mv.exact) = (score as i16, true);
        }
        true
    }

    fn plain(&mut self, side: Player, depth: u8, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        let win = i32::from(WIN) - ply;
        if !self.limits.tick() || self.board.empty().is_empty() {
            return 0;
        }
        if self.board.count_of(side, MoveClass::Five) > 0 {
            return win - 1;
        }
        let replies = super::replies(&self.board, side.other());
        let moves = if !replies.is_empty() && ply < 100 {
            replies.cells().map(|cell| cell as Cell).collect()
        } else if depth == 0 {
            return self.evaluate(side);
        } else {
            let near = self.board.near().cells().map(|cell| cell as Cell);
            let mut moves: Vec<Cell> = near.collect();
            let board = &self.board;
            moves.sort_by_cached_key(|&cell| std::cmp::Reverse(move_score(board, side, cell)));
            moves.truncate(WIDTH);
            moves
        };
        // A forced reply does not count as depth.
        let depth = if replies.is_empty() { depth - 1 } else { depth };
        let mut best = if replies.is_empty() { -win } else { 2 - win };
        for cell in moves {
            if self.board.is_forbidden(side, cell) {
                continue;
            }
            self.board.put(cell, side);
            let score = -self.plain(side.other(), depth, ply + 1, -beta, -alpha);
            self.board.undo();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta || self.limits.is_over() {
                break;
            }
        }
        best
    }
}
