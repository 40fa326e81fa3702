//! PVS with a transposition table on a smaller board: exact to the end, else by a simple evaluation.

use super::board::SmallBoard;
use crate::board::Board;
use crate::board::geometry::neighbours;
use crate::board::mobility::frontier;
use crate::board::square::{Square, Squares};
use crate::search::selectivity::Selectivity;
use crate::tt::TranspositionTable;
use crate::tt::cluster::{Bound, Entry};
use papan_strategies::LimitChecker;

/// Larger than any score.
pub(super) const SCORE_INFINITE: i32 = 65;
/// Up to this many empty squares the transposition table does not pay.
const MAX_UNHASHED_EMPTIES: u32 = 6;
/// From this many empty squares on, positions are stored in canonical orientation.
const MIN_CANONICAL_EMPTIES: u32 = 22;
/// Minimum depth for enhanced transposition cutoffs.
const ETC_MIN_DEPTH: u32 = 8;
/// Minimum depth at which moves are ordered by a one-ply and by a three-ply search.
const MIN_ONE_PLY_ORDERING_DEPTH: u32 = 13;
const MIN_THREE_PLY_ORDERING_DEPTH: u32 = 18;
/// Upper bound on the number of moves on 6x6.
const MAX_MOVES: usize = 32;

/// The search of one thread.
pub(super) struct SmallSearch<'a> {
    pub(super) board: &'a SmallBoard,
    pub(super) tt: &'a TranspositionTable,
    pub(super) checker: LimitChecker,
    /// Perturbs the move ordering, so that the threads of lazy SMP diverge; 0 for none.
    pub(super) salt: u32,
}

/// A move with its ordering score.
#[derive(Clone, Copy)]
struct ScoredMove {
    score: i32,
    square: Square,
    child: Board,
}

impl SmallSearch<'_> {
    /// Searches `depth` plies. The score is exact within the window if the search reaches the end
    /// of the game; a score at or beyond a bound is a bound.
    pub(super) fn search(&mut self, board: Board, depth: u32, alpha: i32, beta: i32) -> i32 {
        if !self.checker.tick() {
            return alpha;
        }
        let moves = self.board.moves(board);
        if moves == 0 {
            let passed = board.passed();
            if self.board.moves(passed) == 0 {
                return self.board.final_score(board);
            }
            return -self.search(passed, depth, -beta, -alpha);
        }
        let empties = self.board.empties(board);
        if depth >= empties && empties <= MAX_UNHASHED_EMPTIES {
            return self.solve_last(board, moves, alpha, beta);
        }
        if depth == 0 {
            return self.evaluate(board, moves);
        }
        self.search_moves(board, moves, depth.min(empties), alpha, beta)
    }

    /// Searches one move of a node: the first with the whole window, the others with a null window
    /// first.
    pub(super) fn search_child(
        &mut self,
        child: Board,
        is_first: bool,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if is_first {
            return -self.search(child, depth - 1, -beta, -alpha);
        }
        let score = -self.search(child, depth - 1, -alpha - 1, -alpha);
        if score > alpha && score < beta && !self.checker.is_over() {
            -self.search(child, depth - 1, -beta, -alpha)
        } else {
            score
        }
    }

    fn search_moves(
        &mut self,
        board: Board,
        moves: u64,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let key = TtKey::new(board, self.board.empties(board));
        // Step 1. Transposition table.
        let mut hash_move = None;
        if let Some(entry) = self.tt.probe(key.board) {
            let (lower, upper) = (entry.lower(), entry.upper());
            if u32::from(entry.depth) >= depth {
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            hash_move = Squares(moves).find(|&square| key.image(square) == entry.mv.bit());
        }
        // Step 2. Move ordering and enhanced transposition cutoff.
        let mut buffer = [ScoredMove {
            score: i32::MIN,
            square: Square::of_low_bits(0),
            child: board,
        }; MAX_MOVES];
        let ordered = self.order(board, moves, hash_move, depth, &mut buffer);
        if depth >= ETC_MIN_DEPTH {
            for mv in &*ordered {
                let child_key = TtKey::new(mv.child, self.board.empties(mv.child));
                if let Some(entry) = self.tt.probe(child_key.board)
                    && u32::from(entry.depth) + 1 >= depth
                    && -entry.upper() >= beta
                {
                    return -entry.upper();
                }
            }
        }
        // Step 3. PVS over the moves.
        let original_alpha = alpha;
        let (mut best, mut best_square) = (-SCORE_INFINITE, ordered[0].square);
        for (at, mv) in ordered.iter().enumerate() {
            let score = self.search_child(mv.child, at == 0, depth, alpha, beta);
            if self.checker.is_over() {
                return alpha;
            }
            if score > best {
                (best, best_square) = (score, mv.square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        // Step 4. Store the result.
        self.tt.store(
            key.board,
            Entry {
                score: best as i16,
                bound: Bound::of(best, original_alpha, beta),
                mv: Square::lowest(key.image(best_square)),
                depth: depth as u8,
                selectivity: Selectivity::Low,
            },
        );
        best
    }

    /// Fills `buffer` with the moves, best first.
    fn order<'s>(
        &mut self,
        board: Board,
        moves: u64,
        hash_move: Option<Square>,
        depth: u32,
        buffer: &'s mut [ScoredMove; MAX_MOVES],
    ) -> &'s mut [ScoredMove] {
        let odd = self.board.odd_quadrants(self.board.empty(board));
        let look_ahead = if depth >= MIN_THREE_PLY_ORDERING_DEPTH {
            3
        } else if depth >= MIN_ONE_PLY_ORDERING_DEPTH {
            1
        } else {
            0
        };
        let mut count = 0;
        for square in Squares(moves) {
            let child = board.child(square);
            let score = if Some(square) == hash_move {
                i32::MAX
            } else if look_ahead > 0 {
                let score = -self.search(child, look_ahead - 1, -SCORE_INFINITE, SCORE_INFINITE);
                64 * score + self.noise(square)
            } else {
                self.ordering_score(child, square, odd) + self.noise(square)
            };
            buffer[count] = ScoredMove {
                score,
                square,
                child,
            };
            count += 1;
        }
        let ordered = &mut buffer[..count];
        ordered.sort_unstable_by_key(|mv| std::cmp::Reverse(mv.score));
        ordered
    }

    /// Orders by the opponent's mobility, frontier, corners and parity.
    #[inline(always)]
    fn ordering_score(&self, child: Board, square: Square, odd: u64) -> i32 {
        let replies = self.board.moves(child);
        let corner_replies = (replies & self.board.corners).count_ones();
        let mut score = -32 * (replies.count_ones() + corner_replies) as i32;
        let exposed = frontier(child.opp(), child.me()) & self.board.inside;
        score += 6 * exposed.count_ones() as i32;
        if square.bit() & self.board.corners != 0 {
            score += 40;
        }
        if square.bit() & odd != 0 {
            score += 8;
        }
        score
    }

    #[inline(always)]
    fn noise(&self, square: Square) -> i32 {
        match self.salt {
            0 => 0,
            salt => ((square.index() as u32 + 1).wrapping_mul(salt) >> 27) as i32,
        }
    }

    /// Solves the last empty squares, ordered by parity, without transposition table.
    fn solve_last(&mut self, board: Board, moves: u64, mut alpha: i32, beta: i32) -> i32 {
        let empty = self.board.empty(board);
        if empty.count_ones() == 1 {
            let square = Square::lowest(empty);
            return -self.board.final_score(board.child(square));
        }
        let odd = moves & self.board.odd_quadrants(empty);
        let mut best = -SCORE_INFINITE;
        for square in Squares(odd).chain(Squares(moves & !odd)) {
            let score = -self.solve_last_child(board.child(square), -beta, -alpha);
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    fn solve_last_child(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        self.checker.tick();
        let moves = self.board.moves(board);
        if moves != 0 {
            return self.solve_last(board, moves, alpha, beta);
        }
        let passed = board.passed();
        match self.board.moves(passed) {
            0 => self.board.final_score(board),
            moves => -self.solve_last(passed, moves, -beta, -alpha),
        }
    }

    /// Evaluates a position by mobility, frontier, corners and X-squares, in discs.
    fn evaluate(&self, board: Board, moves: u64) -> i32 {
        let small = self.board;
        let count = |set: u64| set.count_ones() as i32;
        let their_moves = small.moves(board.passed());
        let (me, opp) = (board.me(), board.opp());
        let mobility = count(moves) - count(their_moves);
        let corners = count(me & small.corners) - count(opp & small.corners);
        let corner_moves = count(moves & small.corners) - count(their_moves & small.corners);
        // An X-square is bad only while its corner is empty.
        let bad_x_squares = neighbours(small.corners & small.empty(board)) & small.x_squares;
        let x_squares = count(me & bad_x_squares) - count(opp & bad_x_squares);
        let exposed = |me, opp| count(frontier(me, opp) & small.inside);
        let frontier = exposed(me, opp) - exposed(opp, me);
        let sum = 6 * mobility + 48 * corners + 24 * corner_moves - 16 * x_squares + 3 * frontier;
        (sum / 8).clamp(-36, 36)
    }
}

/// The board that a position is stored under, and the symmetry that leads to it.
#[derive(Clone, Copy)]
struct TtKey {
    board: Board,
    symmetry: u8,
}

impl TtKey {
    fn new(board: Board, empties: u32) -> Self {
        let identity = Self { board, symmetry: 0 };
        if empties < MIN_CANONICAL_EMPTIES {
            return identity;
        }
        (0..8)
            .map(|symmetry| Self {
                board: board.transformed(symmetry),
                symmetry,
            })
            .min_by_key(|key| (key.board.me(), key.board.opp()))
            .unwrap_or(identity)
    }

    /// Returns the image of a square under the symmetry, as a set.
    fn image(self, square: Square) -> u64 {
        match self.symmetry {
            0 => square.bit(),
            symmetry => {
                Board::try_new(square.bit(), 0).map_or(0, |board| board.transformed(symmetry).me())
            }
        }
    }
}
