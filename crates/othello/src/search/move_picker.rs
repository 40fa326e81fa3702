//! Move ordering and selection in the midgame.
//!
//! Moves are ordered by the static evaluation after them, or by a shallow search where much work
//! depends on the order, minus the opponent's mobility and, when solving, the frontier. The next
//! move is selected lazily (selection sort), because most nodes need only a few.

use crate::board::geometry::CORNERS;
use crate::board::mobility::frontier;
use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::eval::score::{DISC, EVAL_SCALE};
use crate::parallel::currently_searching::MoveKey;
use crate::search::shallow::{MAX_SHALLOW_DEPTH, shallow};
use crate::search::worker::SearchThread;

/// Hands out the moves of a node, best first.
pub(crate) struct MovePicker {
    moves: [ScoredMove; 64],
    len: usize,
    /// Number of moves handed out.
    next: usize,
}

#[derive(Clone, Copy)]
struct ScoredMove {
    key: i32,
    square: Square,
}

/// More than the difference of any two keys.
const DEFER_PENALTY: i32 = 1 << 28;

/// Key of a move that captures all discs.
const WIPE_OUT_KEY: i32 = 1 << 20;

impl MovePicker {
    /// Orders `moves` for a search with bound `alpha` to `depth`.
    pub(crate) fn new(
        thread: &mut SearchThread<'_>,
        node: &Node,
        moves: Squares,
        alpha: i32,
        depth: u32,
    ) -> Self {
        let mut picker = Self {
            moves: [ScoredMove {
                key: 0,
                square: Square::of_low_bits(0),
            }; 64],
            len: 0,
            next: 0,
        };
        let solving = depth == node.empties();
        let look_ahead = look_ahead(depth, solving);
        let (mobility_weight, frontier_weight) = if solving { (256, 32) } else { (128, 0) };
        for square in moves {
            let flips = node.board.flips(square);
            let child = node.board.after(square, flips);
            if depth > MAX_SHALLOW_DEPTH + 1 {
                thread.tt().prefetch(child);
            }
            let replies = child.moves().bits();
            let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
            let key = if child.me() == 0 {
                WIPE_OUT_KEY
            } else {
                let score = match look_ahead {
                    None => 0,
                    Some(0) => -thread.evaluation().table_sum_after(node, square, flips),
                    Some(plies) => {
                        let (low, high) = (-alpha - 9 * DISC, -alpha + 8 * DISC);
                        let child = node.after(square, flips);
                        -(EVAL_SCALE / DISC) * shallow::<true>(thread, &child, low, high, plies)
                    }
                };
                let exposed = frontier(child.me(), child.opp()).count_ones();
                score - mobility_weight * mobility as i32 - frontier_weight * exposed as i32
            };
            picker.moves[picker.len] = ScoredMove { key, square };
            picker.len += 1;
        }
        picker
    }

    /// Returns the best move that is left.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Square> {
        if self.next == self.len {
            return None;
        }
        let mut top = self.next;
        for other in self.next + 1..self.len {
            if self.moves[other].key > self.moves[top].key {
                top = other;
            }
        }
        self.moves.swap(self.next, top);
        self.next += 1;
        Some(self.moves[self.next - 1].square)
    }

    /// ABDADA: puts the move just handed out behind all others if another thread is searching it.
    /// Returns whether it did. A move is deferred only once.
    #[inline(always)]
    pub(crate) fn defer_if_searched(
        &mut self,
        thread: &SearchThread<'_>,
        node: &Node,
        square: Square,
        depth: u32,
    ) -> bool {
        let Some(table) = thread.currently_searching(depth) else {
            return false;
        };
        if self.was_deferred() {
            return false;
        }
        let should_defer = table.should_defer(MoveKey::new(node.board.child(square), depth));
        if should_defer {
            self.defer();
        }
        should_defer
    }

    const fn defer(&mut self) {
        self.next -= 1;
        self.moves[self.next].key -= DEFER_PENALTY;
    }

    /// Returns whether the move just handed out had been deferred.
    const fn was_deferred(&self) -> bool {
        self.moves[self.next - 1].key < -DEFER_PENALTY / 2
    }

    /// Returns the moves that are left, best first, without handing them out.
    pub(crate) fn remaining(&mut self) -> Vec<Square> {
        let rest = &mut self.moves[self.next..self.len];
        rest.sort_by_key(|scored| std::cmp::Reverse(scored.key));
        rest.iter().map(|scored| scored.square).collect()
    }

    /// Drops the remaining moves that are not in `wanted`.
    pub(crate) fn retain(&mut self, wanted: Squares) {
        let mut kept = self.next;
        for at in self.next..self.len {
            if wanted.contains(self.moves[at].square) {
                self.moves[kept] = self.moves[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Returns the number of moves that are left.
    pub(crate) const fn left(&self) -> usize {
        self.len - self.next
    }
}

/// Returns the depth of the look-ahead search; 0 is the static evaluation. Two plies before the
/// horizon mobility alone is enough: evaluating every child takes as long as searching it.
const fn look_ahead(depth: u32, solving: bool) -> Option<u32> {
    match (solving, depth) {
        (true, ..17) => Some(0),
        (true, 17..21) => Some(1),
        (true, 21..25) => Some(2),
        (true, 25..) => Some(3),
        (false, ..3) => None,
        (false, 3..7) => Some(0),
        (false, 7..11) => Some(1),
        (false, 11..) => Some(2),
    }
}
