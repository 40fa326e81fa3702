//! Which move to try first, where the evaluation helps to decide.

use crate::board::geometry::CORNERS;
use crate::board::mobility::frontier;
use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::eval::score::DISC;
use crate::eval::score::EVAL_SCALE;
use crate::search::nws::LAST_WITHOUT_TABLE;
use crate::search::worker::Searcher;

/// Moves in the order in which they should be tried.
pub(crate) struct Ordered {
    keys: [(i32, Square); 64],
    len: usize,
    at: usize,
}

/// More than any two keys differ by.
const POSTPONED: i32 = 1 << 28;

impl Ordered {
    /// The next best move.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Square> {
        if self.at == self.len {
            return None;
        }
        let mut top = self.at;
        for other in self.at + 1..self.len {
            if self.keys[other].0 > self.keys[top].0 {
                top = other;
            }
        }
        self.keys.swap(self.at, top);
        self.at += 1;
        Some(self.keys[self.at - 1].1)
    }

    /// Puts the move that was taken last behind all others.
    pub(crate) const fn postpone(&mut self) {
        self.at -= 1;
        self.keys[self.at].0 -= POSTPONED;
    }

    /// Whether the move that was taken last had been put behind all others.
    pub(crate) const fn was_postponed(&self) -> bool {
        self.keys[self.at - 1].0 < -POSTPONED / 2
    }

    /// The moves that have not been taken, in order; they stay untaken.
    pub(crate) fn rest(&mut self) -> Vec<Square> {
        let rest = &mut self.keys[self.at..self.len];
        rest.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
        rest.iter().map(|(_, square)| *square).collect()
    }

    /// Drops those of the untaken moves that are not in `wanted`.
    pub(crate) fn retain(&mut self, wanted: Squares) {
        let mut kept = self.at;
        for at in self.at..self.len {
            if wanted.contains(self.keys[at].1) {
                self.keys[kept] = self.keys[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// How many moves have not been taken.
    pub(crate) const fn left(&self) -> usize {
        self.len - self.at
    }
}

impl Searcher<'_> {
    /// The moves by their promise: the evaluation after each, or a shallow search where much
    /// work hangs on the order, and how few answers the opponent has.
    pub(crate) fn order(&mut self, node: &Node, set: Squares, alpha: i32, depth: u32) -> Ordered {
        let mut ordered = Ordered {
            keys: [(0, Square::of_low_bits(0)); 64],
            len: 0,
            at: 0,
        };
        let solving = depth == node.empties();
        let look = look_ahead(depth, solving);
        let (per_answer, per_frontier) = if solving { (256, 32) } else { (128, 0) };
        for square in set {
            let flips = node.board.flips(square);
            let child = node.board.after(square, flips);
            if depth > LAST_WITHOUT_TABLE + 1 {
                self.table.prefetch(child);
            }
            let answers = child.moves().bits();
            let weighted = answers.count_ones() + (answers & CORNERS).count_ones();
            let key = if child.me() == 0 {
                1 << 20
            } else {
                let score = match look {
                    None => 0,
                    Some(0) => -self.evaluation.table_sum_after(node, square, flips),
                    Some(look) => {
                        let (low, high) = (-alpha - 9 * DISC, -alpha + 8 * DISC);
                        -(EVAL_SCALE / DISC)
                            * self.shallow::<true>(&node.after(square, flips), low, high, look)
                    }
                };
                let exposed = frontier(child.me(), child.opp()).count_ones();
                score - per_answer * weighted as i32 - per_frontier * exposed as i32
            };
            ordered.keys[ordered.len] = (key, square);
            ordered.len += 1;
        }
        ordered
    }
}

/// How many plies to look ahead for the order of moves. Two plies before the horizon the number of answers is enough:
/// to evaluate every child there takes as long as to search it.
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
