//! Five and six empty squares: no hash table, moves ordered by quadrant parity.
//!
//! Parity: a player who moves first in a region with an odd number of empty squares also moves last
//! there, so odd quadrants are tried first. Mobility ordering pays only at six empties in expected
//! cut nodes.

use super::EndgameSolver;
use super::last_squares;
use super::move_ordering::{OrderingWeights, SquareClasses};
use super::move_picker::{MovePicker, ScoredMove};
use crate::board::Board;
use crate::board::flip::flips;
use crate::board::geometry::{CORNERS, isolated, quadrant};
use crate::board::square::Squares;
use crate::search::best::Best;
use crate::search::node_type::NodeType;
use crate::simd::dispatch::{Isa, multiversioned};

impl EndgameSolver<'_> {
    /// Solves four `empty` squares.
    #[inline(always)]
    pub(super) fn solve4<I: Isa>(&mut self, board: Board, alpha: i32, empty: Squares) -> i32 {
        if let Some(bound) = self.stability_cutoff::<4>(board, alpha) {
            self.checker.count_node();
            return bound;
        }
        let (me, opp) = (board.me(), board.opp());
        last_squares::solve4::<I>(me, opp, alpha, empty, self.checker.nodes_mut())
    }

    multiversioned! {
        /// Solves five empty squares, trying those in `candidates`. Where the legal moves are not
        /// known these are all empty squares: computing the moves first takes as long.
        pub(super) fn solve5 [solve5_baseline, solve5_avx512] <I>(&mut self, board: Board, candidates: Squares, alpha: i32, odd: u64) -> i32 {
            if let Some(bound) = self.stability_cutoff::<5>(board, alpha) {
                self.checker.count_node();
                return bound;
            }
            match self.try_solve5::<I>(board, candidates, alpha, odd) {
                Some(score) => score,
                None => self.solve5_passed::<I>(board.passed(), !alpha, odd),
            }
        }
    }

    multiversioned! {
        /// Solves five empty squares after a pass; the score is for the player who passed. A
        /// separate function, so that the code of the usual case stays small.
        fn solve5_passed [solve5_passed_baseline, solve5_passed_avx512] <I>(&mut self, board: Board, alpha: i32, odd: u64) -> i32 {
            match self.try_solve5::<I>(board, board.empty_squares(), alpha, odd) {
                Some(score) => -score,
                None => -board.final_score(),
            }
        }
    }

    /// Returns `None` when the mover has no move.
    #[inline(always)]
    fn try_solve5<I: Isa>(
        &mut self,
        board: Board,
        candidates: Squares,
        alpha: i32,
        odd: u64,
    ) -> Option<i32> {
        let (me, opp) = (board.me(), board.opp());
        self.checker.count_node();
        let empty = !(me | opp);
        let mut best = Best::NONE.score;
        for group in by_parity(candidates.bits(), empty, odd) {
            for square in Squares(group) {
                let flipped = flips(me, opp, square);
                if flipped == 0 {
                    continue;
                }
                let child = board.after(square, flipped);
                // Does not depend on the flipped discs, so the parity order of the four squares can
                // be computed while they are.
                let left = Squares(empty ^ square.bit());
                let score = -self.solve4::<I>(child, !alpha, left);
                if score > alpha {
                    return Some(score);
                }
                best = best.max(score);
            }
        }
        (best > Best::NONE.score).then_some(best)
    }

    multiversioned! {
        /// Solves six empty squares, where the mover's legal `moves` are known.
        pub(super) fn solve6 [solve6_baseline, solve6_avx512] <I>(&mut self, board: Board, moves: Squares, alpha: i32, odd: u64, node_type: NodeType) -> i32 {
            self.solve6_inlined::<I>(board, moves, alpha, odd, node_type)
        }
    }

    #[inline(always)]
    fn solve6_inlined<I: Isa>(
        &mut self,
        board: Board,
        moves: Squares,
        alpha: i32,
        odd: u64,
        node_type: NodeType,
    ) -> i32 {
        self.checker.count_node();
        if let Some(bound) = self.stability_cutoff::<6>(board, alpha) {
            return bound;
        }
        if moves.is_empty() {
            let passed = board.passed();
            let moves = passed.moves();
            return if moves.is_empty() {
                board.final_score()
            } else {
                -self.solve6::<I>(passed, moves, !alpha, odd, node_type.first_child())
            };
        }
        if node_type == NodeType::Cut && moves.len() > 1 {
            return self.solve6_sorted::<I>(board, moves, alpha, odd);
        }
        let mut best = Best::NONE.score;
        let empty = board.empty_squares().bits();
        for group in by_parity(moves.bits(), empty, odd) {
            for square in Squares(group) {
                let child = board.child(square);
                let child_odd = odd ^ quadrant(square);
                let score = -self.solve5::<I>(child, child.empty_squares(), !alpha, child_odd);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    /// Solves six empty squares with moves ordered by the opponent's mobility. Only pays off in cut
    /// nodes.
    #[inline(always)]
    fn solve6_sorted<I: Isa>(&mut self, board: Board, moves: Squares, alpha: i32, odd: u64) -> i32 {
        let empty = board.empty_squares().bits();
        let classes = SquareClasses::new(empty, odd);
        let weights = OrderingWeights::few();
        let mut picker = MovePicker::<8>::new();
        for (at, square) in moves.enumerate() {
            let flips = board.flips(square);
            let replies = board.after(square, flips).moves();
            let score = weights.score(square, flips, replies.bits(), &classes);
            picker.add(
                at,
                score,
                ScoredMove {
                    square,
                    flips,
                    replies,
                },
            );
        }
        let mut best = Best::NONE.score;
        while let Some(mv) = picker.next() {
            let child = board.after(mv.square, mv.flips);
            let child_odd = odd ^ quadrant(mv.square);
            let score = -self.solve5::<I>(child, mv.replies, !alpha, child_odd);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }
}

/// Groups squares by parity: corners and isolated squares in odd quadrants, the other squares in odd
/// quadrants, the rest.
#[inline(always)]
const fn by_parity(squares: u64, empty: u64, odd: u64) -> [u64; 3] {
    let in_odd = squares & odd;
    let first = in_odd & (CORNERS | isolated(empty));
    [first, in_odd & !first, squares & !in_odd]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::stop_checker::{SharedLimits, StopChecker};
    use crate::simd::cpu::has_avx512;
    use crate::testing::{negamax, random_position};
    use crate::tt::TranspositionTable;
    use papan_strategies::{Budget, StopToken};

    #[test]
    fn five_to_eight_empty_squares_agree_with_negamax_for_any_expected_node_type() {
        let tt = TranspositionTable::new(1).expect("1 MiB is available");
        let stop = StopToken::default();
        let limits = SharedLimits::new(&stop, None, Budget::default());
        let mut solvers = [false, has_avx512()].map(|use_avx512| EndgameSolver {
            use_avx512,
            ..EndgameSolver::new(&tt, StopChecker::new(&limits))
        });
        for seed in 0..1200 {
            let empties = 5 + seed as u32 % 4;
            let solver = &mut solvers[seed as usize / 4 % 2];
            let board = random_position(seed, empties);
            let exact = negamax(board);
            for alpha in [exact - 2, exact - 1, exact, exact + 1, 0] {
                for node_type in [NodeType::Cut, NodeType::All] {
                    let bound = solver.solve(board, alpha, empties, node_type);
                    let is_right = if exact > alpha {
                        alpha < bound && bound <= exact
                    } else {
                        exact <= bound && bound <= alpha
                    };
                    assert!(is_right, "{board:?} {alpha} {exact} {bound}");
                }
            }
        }
    }
}
