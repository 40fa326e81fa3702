//! Alpha-beta on a smaller board: to a depth by a simple evaluation, to the end exactly.

use super::board::Field;
use crate::board::Board;
use crate::board::mobility;
use crate::board::square::{Square, Squares};
use crate::search::selectivity::Selectivity;
use crate::tt::TranspositionTable;
use crate::tt::cluster::{Bound, Entry};
use papan_strategies::LimitChecker;

/// More than any score.
pub(super) const INFINITE: i32 = 65;
/// From so few empty squares on the table is not worth asking.
const FEW: u32 = 6;
/// With so many empty squares a position is stored under one of its eight images.
const MANY: u32 = 22;
/// From so many empty squares on, moves are ordered by looking one ply and three plies ahead.
const LOOK: [u32; 2] = [13, 18];

pub(super) struct Search<'a> {
    pub(super) field: &'a Field,
    pub(super) table: &'a TranspositionTable,
    pub(super) pace: LimitChecker,
    /// What moves of one promise are ordered by, so that threads go different ways.
    pub(super) salt: u32,
}

/// A move and where it leads.
#[derive(Clone, Copy)]
struct Step {
    promise: i32,
    square: Square,
    next: Board,
}

/// As many moves as a position of 6x6 can have.
const MOST: usize = 32;

impl Search<'_> {
    /// The score for the mover, looking `depth` plies ahead; exact when that reaches the end.
    /// A score at or beyond a bound is a bound.
    pub(super) fn search(&mut self, board: Board, depth: u32, alpha: i32, beta: i32) -> i32 {
        if !self.pace.tick() {
            return alpha;
        }
        let moves = self.field.moves(board);
        if moves == 0 {
            let passed = board.passed();
            if self.field.moves(passed) == 0 {
                return self.field.settled(board);
            }
            return -self.search(passed, depth, -beta, -alpha);
        }
        let left = self.field.empty(board).count_ones();
        if depth >= left && left <= FEW {
            return self.last(board, moves, alpha, beta);
        }
        if depth == 0 {
            return self.evaluate(board, moves);
        }
        self.inner(board, moves, depth.min(left), alpha, beta)
    }

    fn inner(&mut self, board: Board, moves: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let left = self.field.empty(board).count_ones();
        let (stored_as, symmetry) = key(board, left);
        // Step 1. What is known.
        let known = self.table.probe(stored_as);
        let mut first = None;
        if let Some(entry) = known {
            let (lower, upper) = (entry.lower(), entry.upper());
            if u32::from(entry.depth) >= depth {
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            first = Squares(moves).find(|&square| image(square, symmetry) == entry.mv.bit());
        }
        // Step 2. The moves, most promising first; one that is known to be enough cuts.
        let mut steps = [Step {
            promise: i32::MIN,
            square: Square::of_low_bits(0),
            next: board,
        }; MOST];
        let steps = self.steps(board, moves, first, depth, &mut steps);
        if depth >= 8 {
            for step in &*steps {
                let after = self.field.empty(step.next).count_ones();
                if let Some(entry) = self.table.probe(key(step.next, after).0)
                    && u32::from(entry.depth) + 1 >= depth
                    && -entry.upper() >= beta
                {
                    return -entry.upper();
                }
            }
        }
        // Step 3. Each of them.
        let first_alpha = alpha;
        let (mut best, mut best_square) = (-INFINITE, steps[0].square);
        for (at, step) in steps.iter().enumerate() {
            let mut score = if at == 0 {
                -self.search(step.next, depth - 1, -beta, -alpha)
            } else {
                -self.search(step.next, depth - 1, -alpha - 1, -alpha)
            };
            if at > 0 && score > alpha && score < beta && !self.pace.is_over() {
                score = -self.search(step.next, depth - 1, -beta, -alpha);
            }
            if self.pace.is_over() {
                return alpha;
            }
            if score > best {
                (best, best_square) = (score, step.square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        // Step 4. What was learnt.
        self.table.store(
            stored_as,
            Entry {
                score: best as i16,
                bound: Bound::of(best, first_alpha, beta),
                mv: Square::lowest(image(best_square, symmetry)),
                depth: depth as u8,
                selectivity: Selectivity::Low,
            },
        );
        best
    }

    /// The moves with their promise, best first.
    fn steps<'s>(
        &mut self,
        board: Board,
        moves: u64,
        first: Option<Square>,
        depth: u32,
        steps: &'s mut [Step; MOST],
    ) -> &'s mut [Step] {
        let empty = self.field.empty(board);
        let odd = self.field.odd(empty);
        let look = match depth {
            _ if depth >= LOOK[1] => 3,
            _ if depth >= LOOK[0] => 1,
            _ => 0,
        };
        let mut count = 0;
        for square in Squares(moves) {
            let next = board.child(square);
            let promise = if Some(square) == first {
                i32::MAX
            } else if look > 0 {
                -64 * self.search(next, look - 1, -INFINITE, INFINITE) + self.noise(square)
            } else {
                self.promise(next, square, odd) + self.noise(square)
            };
            steps[count] = Step {
                promise,
                square,
                next,
            };
            count += 1;
        }
        let steps = &mut steps[..count];
        steps.sort_unstable_by_key(|step| std::cmp::Reverse(step.promise));
        steps
    }

    /// A few moves of the other, a corner, a quadrant where one has the last word.
    #[inline(always)]
    fn promise(&self, next: Board, square: Square, odd: u64) -> i32 {
        let answers = self.field.moves(next);
        let corners = (answers & self.field.corners).count_ones();
        let mut promise = -32 * (answers.count_ones() + corners) as i32;
        let open = mobility::frontier(next.opp(), next.me()) & self.field.inside;
        promise += 6 * open.count_ones() as i32;
        if square.bit() & self.field.corners != 0 {
            promise += 40;
        }
        if square.bit() & odd != 0 {
            promise += 8;
        }
        promise
    }

    #[inline(always)]
    fn noise(&self, square: Square) -> i32 {
        match self.salt {
            0 => 0,
            salt => ((square.index() as u32 + 1).wrapping_mul(salt) >> 27) as i32,
        }
    }

    /// The last squares: no table, and no order but parity.
    fn last(&mut self, board: Board, moves: u64, mut alpha: i32, beta: i32) -> i32 {
        let empty = self.field.empty(board);
        if empty.count_ones() == 1 {
            let square = Square::lowest(empty);
            return -self.field.settled(board.child(square));
        }
        let odd = moves & self.field.odd(empty);
        let mut best = -INFINITE;
        for square in Squares(odd).chain(Squares(moves & !odd)) {
            let score = -self.after_last(board.child(square), -beta, -alpha);
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

    fn after_last(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        self.pace.tick();
        let moves = self.field.moves(board);
        if moves != 0 {
            return self.last(board, moves, alpha, beta);
        }
        let passed = board.passed();
        match self.field.moves(passed) {
            0 => self.field.settled(board),
            moves => -self.last(passed, moves, -beta, -alpha),
        }
    }

    /// About how many discs more the mover will have: moves, corners and what they are
    /// given away by.
    fn evaluate(&self, board: Board, moves: u64) -> i32 {
        let field = self.field;
        let count = |set: u64| set.count_ones() as i32;
        let theirs = field.moves(board.passed());
        let (me, opp) = (board.me(), board.opp());
        let mobility = count(moves) - count(theirs);
        let corners = count(me & field.corners) - count(opp & field.corners);
        let reach = count(moves & field.corners) - count(theirs & field.corners);
        // A disc beside a corner matters while the corner is empty.
        let open = near(field.corners & field.empty(board)) & field.beside;
        let beside = count(me & open) - count(opp & open);
        let open_squares = |me, opp| count(mobility::frontier(me, opp) & field.inside);
        let frontier = open_squares(me, opp) - open_squares(opp, me);
        let sum = 6 * mobility + 48 * corners + 24 * reach - 16 * beside + 3 * frontier;
        (sum / 8).clamp(-36, 36)
    }
}

/// The squares around a set.
fn near(set: u64) -> u64 {
    let row = set | (set & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (set & 0xfefe_fefe_fefe_fefe) >> 1;
    row | row << 8 | row >> 8
}

/// What a position is stored under, and the symmetry that leads there.
fn key(board: Board, left: u32) -> (Board, u8) {
    if left < MANY {
        return (board, 0);
    }
    let images = (0..8).map(|symmetry| (board.transformed(symmetry), symmetry));
    let least = images.min_by_key(|(image, _)| (image.me(), image.opp()));
    least.unwrap_or((board, 0))
}

/// A square under a symmetry, as a set.
fn image(square: Square, symmetry: u8) -> u64 {
    match symmetry {
        0 => square.bit(),
        _ => Board::try_new(square.bit(), 0).map_or(0, |board| board.transformed(symmetry).me()),
    }
}
