//! The root of the search: all moves to one depth.

use papan_rules::Player;

use super::search::{Node, Search};
use super::tables::MoveClass;
use crate::engine::alpha_beta::{RootMove, WIN};

impl Search<'_> {
    /// Searches all root moves to a depth within a window and moves the best to the front. Returns
    /// `false` if the limits stopped it before the first move had a score.
    pub(crate) fn root(
        &mut self,
        side: Player,
        moves: &mut [RootMove],
        depth: i32,
        window: [i32; 2],
    ) -> bool {
        let [mut alpha, beta] = window;
        for at in 0..moves.len() {
            let cell = moves[at].cell;
            let node = Node {
                side,
                depth,
                ply: 0,
                alpha,
                beta,
                after_null: false,
            };
            let reduction = match at {
                0..4 => 0,
                _ if depth < 3 || self.board.class(side, cell) >= MoveClass::OpenThree => 0,
                _ => i32::from(self.reductions[(depth as usize).min(63)][at.min(63)]) - 1,
            };
            self.board.put(cell, side);
            let score = self.search_child(node, at == 0, depth - 1, reduction.max(0));
            self.board.undo();
            if self.limits.is_over() {
                return at > 0 && alpha > window[0];
            }
            moves[at].exact = at == 0 || score > alpha;
            moves[at].score = score as i16;
            if at == 0 || score > alpha {
                let line = std::mem::take(&mut self.lines[1]);
                moves[at].line.clear();
                moves[at].line.push(cell);
                moves[at].line.extend(line);
            }
            if score > alpha {
                alpha = score;
                moves[..=at].rotate_right(1);
                if alpha >= beta {
                    break;
                }
            }
        }
        true
    }

    /// Returns the score of a move with a full window.
    pub(crate) fn score(&mut self, side: Player, mv: &mut RootMove, depth: i32) -> i32 {
        if self.board.class(side, mv.cell) == MoveClass::Five {
            mv.line = vec![mv.cell];
            return i32::from(WIN) - 1;
        }
        let node = Node {
            side,
            depth,
            ply: 0,
            alpha: -i32::from(WIN),
            beta: i32::from(WIN),
            after_null: false,
        };
        self.board.put(mv.cell, side);
        let score = self.search_child(node, true, depth - 1, 0);
        self.board.undo();
        mv.line.clear();
        mv.line.push(mv.cell);
        mv.line.extend(std::mem::take(&mut self.lines[1]));
        score
    }
}
