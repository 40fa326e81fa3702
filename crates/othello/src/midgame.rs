//! Search with the evaluation: the middle of the game, and solving far from the end.
//!
//! `depth` counts the plies still to search. Where it equals the number of empty squares the
//! result is the final score, exact or guessed at the step of selectivity in force; where it is
//! smaller, the evaluation answers at the horizon, rounded to discs.

use crate::board::{Board, Squares};
use crate::bucket::Entry;
use crate::features::Features;
use crate::selectivity::{EXACT, margin, shallow_depth};
use crate::weights::UNIT;
use crate::worker::Worker;

/// Up to this many empty squares, the endgame's cheap ordering is the faster one.
pub(crate) const END: u32 = 13;

/// The least depth at which children are looked up in the hash table before searching.
const LOOK_UP_CHILDREN: u32 = 5;

/// The least depth at which shallow searches may cut.
const PROBCUT: u32 = 4;

/// The least depth at which a node is worth sharing.
pub(crate) const SHARE: u32 = 7;
pub(crate) const SHARE_SOLVING: u32 = 14;

impl Worker<'_> {
    /// The evaluation in whole discs.
    #[inline(always)]
    pub(crate) fn evaluate(&self, features: &Features, empties: u32) -> i32 {
        to_discs(self.weights.sum(&features.mine, empties))
    }

    /// Whether the score is above `alpha`: a bound that says so. `depth` may exceed the empty
    /// squares.
    pub(crate) fn nws(&mut self, board: Board, features: &Features, alpha: i32, depth: u32) -> i32 {
        let empties = board.empties();
        let depth = depth.min(empties);
        // Step 1. The tiers below.
        let solving = depth == empties;
        if solving && empties <= END {
            return self.end(board, alpha, empties);
        }
        if depth <= 2 && !solving {
            return self.shallow(board, features, alpha, alpha + 1, depth);
        }
        self.nodes += 1;
        if self.stopped() {
            return alpha;
        }
        // Step 2. Stability.
        if let Some(bound) = self.stability_bound(board, alpha, empties) {
            return bound;
        }
        // Step 3. The hash table.
        let mut hash_move = 64;
        if let Some(entry) = self.table.probe(board) {
            if self.usable(entry, depth) {
                if i32::from(entry.lower) > alpha {
                    return i32::from(entry.lower);
                }
                if i32::from(entry.upper) <= alpha {
                    return i32::from(entry.upper);
                }
            }
            hash_move = usize::from(entry.mv);
        }
        // Step 4. Pass, or the end of the game.
        let moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            return if passed.moves() == 0 {
                board.final_score()
            } else {
                -self.nws(passed, &features.passed(), !alpha, depth)
            };
        }
        // Step 5. A child that is known to be bad enough for the opponent.
        if depth >= LOOK_UP_CHILDREN
            && let Some(score) = self.child_cut(board, moves, alpha, depth)
        {
            return score;
        }
        // Step 6. Multi-ProbCut.
        if self.selectivity < EXACT
            && depth >= PROBCUT
            && let Some(score) = self.probcut(board, features, alpha, depth, empties)
        {
            return score;
        }
        // Step 7. The hash move, then the others in order.
        let (best, best_move) =
            self.nws_moves(board, features, alpha, depth, empties, moves, hash_move);
        if self.stopped() {
            return alpha;
        }
        // Step 8. Remember.
        let (lower, upper) = if best > alpha {
            (best, 64)
        } else {
            (-64, best)
        };
        self.remember(board, lower, upper, best_move, depth);
        best
    }

    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn nws_moves(
        &mut self,
        board: Board,
        features: &Features,
        alpha: i32,
        depth: u32,
        empties: u32,
        mut moves: u64,
        hash_move: usize,
    ) -> (i32, usize) {
        let mut best = (-65, 64);
        if hash_move < 64 && moves >> hash_move & 1 == 1 {
            let flips = board.flips(hash_move);
            let child = board.after(hash_move, flips);
            let score = -self.nws(child, &features.after(hash_move, flips), !alpha, depth - 1);
            best = (score, hash_move);
            moves &= !(1 << hash_move);
            if score > alpha || moves == 0 {
                return best;
            }
        }
        let mut ordered = self.order(board, features, moves, alpha, depth, empties);
        let worth_sharing = depth
            >= if depth == empties {
                SHARE_SOLVING
            } else {
                SHARE
            };
        while let Some(square) = ordered.next() {
            let flips = board.flips(square);
            let child = board.after(square, flips);
            let score = -self.nws(child, &features.after(square, flips), !alpha, depth - 1);
            if score > best.0 {
                best = (score, square);
                if score > alpha {
                    return best;
                }
            }
            if worth_sharing && ordered.left() > 0 && self.crew.has_idle() && !self.stopped() {
                return self
                    .share(board, features, alpha, depth, ordered.rest(), best)
                    .best;
            }
        }
        best
    }

    /// Whether an entry answers for this depth at the selectivity in force.
    #[inline(always)]
    pub(crate) fn usable(&self, entry: Entry, depth: u32) -> bool {
        u32::from(entry.depth) >= depth && entry.selectivity >= self.selectivity
    }

    #[inline(always)]
    pub(crate) fn remember(&self, board: Board, lower: i32, upper: i32, mv: usize, depth: u32) {
        self.table.store(
            board,
            Entry {
                lower: lower as i8,
                upper: upper as i8,
                mv: mv as u8,
                depth: depth as u8,
                selectivity: self.selectivity,
            },
        );
    }

    /// Enhanced transposition cut-off.
    #[inline]
    fn child_cut(&self, board: Board, moves: u64, alpha: i32, depth: u32) -> Option<i32> {
        // All are asked for before the first is read: the answers come from main memory.
        let mut children = [Board { me: 0, opp: 0 }; 64];
        let mut count = 0;
        for square in Squares(moves) {
            let child = board.after(square, board.flips(square));
            self.table.prefetch(child);
            children[count] = child;
            count += 1;
        }
        for &child in &children[..count] {
            if let Some(entry) = self.table.probe(child)
                && self.usable(entry, depth - 1)
                && -i32::from(entry.upper) > alpha
            {
                return Some(-i32::from(entry.upper));
            }
        }
        None
    }

    /// Lets a shallow search decide, where its result is far enough outside the window.
    fn probcut(
        &mut self,
        board: Board,
        features: &Features,
        alpha: i32,
        depth: u32,
        empties: u32,
    ) -> Option<i32> {
        if self.probing >= 2 {
            return None;
        }
        let shallow = shallow_depth(depth);
        let margin = margin(self.selectivity, empties, depth, shallow);
        let now = self.evaluate(features, empties);
        let high = alpha + 1 + margin;
        let low = alpha - margin;
        let mut cut = None;
        self.probing += 1;
        // The evaluation itself tells which side is worth testing.
        if high < 64 && now >= alpha + margin / 2 {
            if self.nws(board, features, high - 1, shallow) >= high {
                cut = Some(alpha + 1);
            }
        } else if low > -64
            && now <= alpha - margin / 2
            && self.nws(board, features, low, shallow) <= low
        {
            cut = Some(alpha);
        }
        self.probing -= 1;
        cut.filter(|_| !self.stopped())
    }

    /// One or two plies and the evaluation, without the hash table; also deeper for ordering.
    pub(crate) fn shallow(
        &mut self,
        board: Board,
        features: &Features,
        mut alpha: i32,
        beta: i32,
        depth: u32,
    ) -> i32 {
        self.nodes += 1;
        let empties = board.empties();
        if depth == 0 {
            return self.evaluate(features, empties);
        }
        let moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            return if passed.moves() == 0 {
                board.final_score()
            } else {
                -self.shallow(passed, &features.passed(), -beta, -alpha, depth)
            };
        }
        let mut best = -65;
        if depth == 1 {
            self.nodes += u64::from(moves.count_ones());
            for square in Squares(moves) {
                let flips = board.flips(square);
                let score = if flips == board.opp {
                    64
                } else {
                    to_discs(
                        -self
                            .weights
                            .sum(&features.mine_after(square, flips), empties - 1),
                    )
                };
                best = best.max(score);
                if best >= beta {
                    break;
                }
            }
            return best;
        }
        let mut ordered = self.order(board, features, moves, alpha, depth, empties);
        while let Some(square) = ordered.next() {
            let flips = board.flips(square);
            let child = board.after(square, flips);
            let next = features.after(square, flips);
            let score = -self.shallow(child, &next, -beta, -alpha, depth - 1);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// Rounded to discs, and short of a sure win.
#[inline(always)]
pub(crate) fn to_discs(sum: i32) -> i32 {
    ((sum + UNIT / 2) >> UNIT.trailing_zeros()).clamp(-62, 62)
}
