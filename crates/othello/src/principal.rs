//! Principal-variation search: nodes whose exact score is wanted.

use crate::board::Board;
use crate::features::Features;
use crate::midgame::{SHARE, SHARE_SOLVING};
use crate::selectivity::EXACT;
use crate::worker::Worker;

impl Worker<'_> {
    /// The score within the window, or a bound outside it, and the best move (64 for a pass or
    /// the end of the game).
    pub(crate) fn pvs(
        &mut self,
        board: Board,
        features: &Features,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> (i32, usize) {
        let empties = board.empties();
        let depth = depth.min(empties);
        self.nodes += 1;
        // Step 1. The horizon.
        if depth == 0 {
            let score = if empties == 0 {
                board.final_score()
            } else {
                self.evaluate(features, empties)
            };
            return (score, 64);
        }
        if self.stopped() {
            return (alpha, 64);
        }
        // Step 2. Pass, or the end of the game.
        let mut moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            if passed.moves() == 0 {
                return (board.final_score(), 64);
            }
            let (score, _) = self.pvs(passed, &features.passed(), -beta, -alpha, depth);
            return (-score, 64);
        }
        // Step 3. The hash table.
        let mut hash_move = 64;
        if let Some(entry) = self.table.probe(board) {
            hash_move = usize::from(entry.mv);
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            let legal = moves >> hash_move & 1 == 1;
            if self.usable(entry, depth)
                && legal
                && (lower >= beta || upper <= alpha || lower == upper)
            {
                return (if upper <= alpha { upper } else { lower }, hash_move);
            }
        }
        // Step 4. Without a move from the table, a shallower search finds one.
        let solving = depth == empties;
        if moves >> (hash_move & 63) & 1 == 0 || hash_move >= 64 {
            hash_move = 64;
            if depth >= 6 {
                let shallower = if solving {
                    (depth - 4).min(10)
                } else {
                    depth - 3
                };
                hash_move = self.pvs(board, features, alpha, beta, shallower).1;
            }
        }
        // Step 5. The first move with the whole window.
        let mut best = (-65, 64);
        if hash_move < 64 && moves >> hash_move & 1 == 1 {
            best = (
                self.pvs_child(board, features, hash_move, alpha, beta, depth),
                hash_move,
            );
            moves &= !(1 << hash_move);
        }
        // Step 6. The others must first show that they are better.
        if best.0 < beta && moves != 0 {
            best = self.pvs_moves(board, features, alpha, beta, depth, moves, best);
        }
        if self.stopped() {
            return best;
        }
        // Step 7. Remember.
        let lower = if best.0 > alpha { best.0 } else { -64 };
        let upper = if best.0 < beta { best.0 } else { 64 };
        self.remember(board, lower, upper, best.1, depth);
        best
    }

    fn pvs_child(
        &mut self,
        board: Board,
        features: &Features,
        square: usize,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> i32 {
        let flips = board.flips(square);
        let child = board.after(square, flips);
        let next = features.after(square, flips);
        -self.pvs(child, &next, -beta, -alpha, depth - 1).0
    }

    #[allow(clippy::too_many_arguments)]
    fn pvs_moves(
        &mut self,
        board: Board,
        features: &Features,
        alpha: i32,
        beta: i32,
        depth: u32,
        moves: u64,
        mut best: (i32, usize),
    ) -> (i32, usize) {
        let empties = board.empties();
        let worth_sharing = depth
            >= if depth == empties {
                SHARE_SOLVING
            } else {
                SHARE
            };
        let mut ordered = self.order(board, features, moves, alpha, depth, empties);
        while ordered.left() > 0 && !self.stopped() {
            let bar = alpha.max(best.0);
            if best.0 > -65 && worth_sharing && ordered.left() > 1 && self.crew.has_idle() {
                let shared = self.share(board, features, bar, depth, ordered.rest(), best);
                ordered.retain(!shared.refuted);
                if shared.best.0 <= bar || self.stopped() {
                    best = if shared.best.0 > best.0 {
                        shared.best
                    } else {
                        best
                    };
                    continue;
                }
                ordered.retain(!(1 << shared.best.1));
                let square = shared.best.1;
                let score = if shared.best.0 < beta {
                    self.pvs_child(board, features, square, bar, beta, depth)
                } else {
                    shared.best.0
                };
                if score > best.0 {
                    best = (score, square);
                }
            } else {
                let square = ordered.next().expect("a move is left");
                let score = if best.0 == -65 {
                    self.pvs_child(board, features, square, alpha, beta, depth)
                } else {
                    let flips = board.flips(square);
                    let child = board.after(square, flips);
                    let next = features.after(square, flips);
                    let score = -self.nws(child, &next, !bar, depth - 1);
                    if bar < score && score < beta {
                        self.pvs_child(board, features, square, bar, beta, depth)
                    } else {
                        score
                    }
                };
                if score > best.0 {
                    best = (score, square);
                }
            }
            if best.0 >= beta {
                break;
            }
        }
        best
    }

    /// The line that the hash table holds: the best moves as far as they are known.
    pub(crate) fn known_line(&self, mut board: Board) -> Vec<u8> {
        let mut line = Vec::new();
        let mut passes = 0;
        while line.len() < 60 && passes < 2 {
            let moves = board.moves();
            if moves == 0 {
                passes += 1;
                board = board.passed();
                continue;
            }
            passes = 0;
            let Some(entry) = self.table.probe(board) else {
                break;
            };
            let square = usize::from(entry.mv);
            if moves >> square & 1 == 0 {
                break;
            }
            line.push(square as u8);
            board = board.after(square, board.flips(square));
        }
        line
    }

    /// A whole best line of a solved position, each move shown to keep `score`. Passes are
    /// left out.
    pub(crate) fn solved_line(&mut self, mut board: Board, mut score: i32) -> Vec<u8> {
        let mut line = Vec::new();
        self.selectivity = EXACT;
        while !board.is_over() && !self.stopped() {
            if board.moves() == 0 {
                (board, score) = (board.passed(), -score);
                continue;
            }
            let features = Features::new(board);
            let empties = board.empties();
            let hash_move = self
                .table
                .probe(board)
                .map_or(64, |entry| usize::from(entry.mv));
            let mut moves = board.moves();
            let mut chosen = None;
            if hash_move < 64 && moves >> hash_move & 1 == 1 {
                moves &= !(1 << hash_move);
                chosen = self.keeps(board, &features, hash_move, score, empties);
            }
            if chosen.is_none() {
                let mut ordered = self.order(board, &features, moves, score - 1, empties, empties);
                while let (None, Some(square)) = (chosen, ordered.next()) {
                    chosen = self.keeps(board, &features, square, score, empties);
                }
            }
            let Some(child) = chosen else { break };
            let square = (child.opp & !board.me & !board.opp).trailing_zeros();
            line.push(square as u8);
            (board, score) = (child, -score);
        }
        line
    }

    /// The position after the move, if it still gives `score`.
    fn keeps(
        &mut self,
        board: Board,
        features: &Features,
        square: usize,
        score: i32,
        empties: u32,
    ) -> Option<Board> {
        let flips = board.flips(square);
        let child = board.after(square, flips);
        let next = features.after(square, flips);
        (-self.nws(child, &next, -score, empties - 1) >= score).then_some(child)
    }
}
