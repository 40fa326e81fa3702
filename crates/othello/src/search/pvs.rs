//! Principal-variation search: nodes whose exact score is wanted.

use crate::board::Board;
use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::eval::score::DISC;
use crate::search::node_type::Kind;
use crate::search::nws::{Best, NONE};
use crate::search::probcut::EXACT;
use crate::search::worker::Searcher;

/// How much better than the best so far a move must be where something is guessed: what proving less costs is better
/// spent on depth.
const BETTER: i32 = DISC / 2;

impl Searcher<'_> {
    /// The score within the window, or a bound outside it, and the best move.
    pub(crate) fn pvs(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> Best {
        let board = node.board;
        let empties = board.empties();
        let depth = depth.min(empties);
        self.nodes += 1;
        // Step 1. The horizon.
        if depth == 0 {
            let score = if empties == 0 {
                DISC * board.final_score()
            } else {
                self.evaluate(node)
            };
            return (score, None);
        }
        if self.stopped() {
            return (alpha, None);
        }
        // Step 2. Pass, or the end of the game.
        let mut moves = board.moves();
        if moves.is_empty() {
            if board.passed().moves().is_empty() {
                return (DISC * board.final_score(), None);
            }
            let (score, _) = self.pvs(&node.passed(), -beta, -alpha, depth);
            return (-score, None);
        }
        // Step 3. The hash table.
        let mut hash_move = None;
        if let Some(entry) = self.table.probe(board)
            && moves.contains(entry.mv)
        {
            hash_move = Some(entry.mv);
            let (lower, upper) = (entry.lower(), entry.upper());
            if self.usable(entry, depth) && (lower >= beta || upper <= alpha || lower == upper) {
                return (if upper <= alpha { upper } else { lower }, hash_move);
            }
        }
        // Step 4. Without a move from the table, a shallower search finds one.
        if hash_move.is_none() && depth >= 6 {
            let shallower = if depth == empties {
                (depth - 4).min(10)
            } else {
                depth - 3
            };
            hash_move = self.pvs(node, alpha, beta, shallower).1;
        }
        // Step 5. The first move with the whole window.
        let mut best = NONE;
        if let Some(square) = hash_move {
            best = (self.pvs_child(node, square, alpha, beta, depth), hash_move);
            self.lead(node, depth, alpha, best);
            moves = moves.without(square);
        }
        // Step 6. The others must first show that they are better.
        if best.0 < beta && !moves.is_empty() {
            best = self.pvs_moves(node, alpha, beta, depth, moves, best);
        }
        if self.stopped() {
            return best;
        }
        // Step 7. Remember.
        self.remember(board, alpha, beta, best, depth);
        best
    }

    fn pvs_child(&mut self, node: &Node, square: Square, alpha: i32, beta: i32, depth: u32) -> i32 {
        -self.pvs(&node.child(square), -beta, -alpha, depth - 1).0
    }

    /// Remembers a move of the root that was searched whole and beats what led before.
    fn lead(&mut self, node: &Node, depth: u32, bar: i32, (score, square): Best) {
        if (node.board, depth) == self.root && score > bar && !self.stopped() {
            self.leading = square.map(|square| (square, score));
        }
    }

    fn pvs_moves(
        &mut self,
        node: &Node,
        alpha: i32,
        beta: i32,
        depth: u32,
        moves: Squares,
        mut best: Best,
    ) -> Best {
        let better = if self.selectivity == EXACT { 1 } else { BETTER };
        let mut ordered = self.order(node, moves, alpha, depth);
        while ordered.left() > 0 && !self.stopped() {
            let bar = alpha.max(best.0);
            // The test that a better move passes.
            let test = (bar + better).min(beta) - 1;
            let shared =
                best.1.is_some() && ordered.left() > 1 && self.shares_rest(depth, node.empties());
            let (score, square) = if shared {
                let shared = self.share(node, test, depth, ordered.rest(), best);
                ordered.retain(!shared.refuted);
                let (score, Some(square)) = shared.best else {
                    continue;
                };
                self.lead(node, depth, test, shared.best);
                if score <= test || self.stopped() {
                    (score.min(bar), square)
                } else {
                    ordered.retain(Squares(!square.bit()));
                    if score < beta {
                        let score = self.pvs_child(node, square, bar, beta, depth);
                        (score, square)
                    } else {
                        (score, square)
                    }
                }
            } else {
                let square = ordered.next().expect("a move is left");
                if best.1.is_some() && self.is_elsewhere(node, square, depth, &mut ordered) {
                    continue;
                }
                let score = if best.1.is_none() {
                    self.pvs_child(node, square, alpha, beta, depth)
                } else {
                    let score = self.nws_child(node, square, test, depth, Kind::Cut);
                    self.lead(node, depth, test, (score, Some(square)));
                    if score <= test {
                        score.min(bar)
                    } else if score < beta {
                        self.pvs_child(node, square, bar, beta, depth)
                    } else {
                        score
                    }
                };
                (score, square)
            };
            if score > best.0 {
                best = (score, Some(square));
            }
            if best.0 >= beta {
                break;
            }
        }
        best
    }

    /// The line that the hash table holds: the best moves as far as they are known.
    pub(crate) fn known_line(&self, mut board: Board) -> Vec<Square> {
        let mut line = Vec::new();
        let mut passes = 0;
        while line.len() < 60 && passes < 2 {
            let moves = board.moves();
            if moves.is_empty() {
                passes += 1;
                board = board.passed();
                continue;
            }
            passes = 0;
            let Some(entry) = self.table.probe(board) else {
                break;
            };
            if !moves.contains(entry.mv) {
                break;
            }
            line.push(entry.mv);
            board = board.child(entry.mv);
        }
        line
    }

    /// A whole best line of a solved position, each move shown to keep `score`, in discs. Passes are
    /// left out.
    pub(crate) fn solved_line(&mut self, mut board: Board, mut score: i32) -> Vec<Square> {
        let mut line = Vec::new();
        self.selectivity = EXACT;
        while !board.is_over() && !self.stopped() {
            let mut moves = board.moves();
            if moves.is_empty() {
                (board, score) = (board.passed(), -score);
                continue;
            }
            let node = Node::new(board);
            let known = self.table.probe(board).map(|entry| entry.mv);
            let mut chosen = None;
            if let Some(square) = known.filter(|&mv| moves.contains(mv)) {
                moves = moves.without(square);
                chosen = self.keeps(&node, square, score).then_some(square);
            }
            if chosen.is_none() {
                let mut ordered = self.order(&node, moves, DISC * (score - 1), node.empties());
                while let (None, Some(square)) = (chosen, ordered.next()) {
                    chosen = self.keeps(&node, square, score).then_some(square);
                }
            }
            let Some(square) = chosen else { break };
            line.push(square);
            (board, score) = (board.child(square), -score);
        }
        line
    }

    /// Whether a move still gives `score`, in discs.
    fn keeps(&mut self, node: &Node, square: Square, score: i32) -> bool {
        let bar = DISC * (score - 1);
        self.nws_child(node, square, bar, node.empties(), Kind::All) > bar
    }
}
