//! Five and six empty squares, without the hash table.
//!
//! Parity orders the moves: who plays first where an odd number of squares is empty also plays there
//! last. Only with six squares, where a move should cut, are answers worth counting.

use crate::board::Board;
use crate::board::flip::flips;
use crate::board::geometry::{CORNERS, alone, quadrant};
use crate::board::square::Squares;
use crate::endgame::move_ordering::{Places, Promise};
use crate::endgame::move_picker::{Choice, Choices};
use crate::search::node_type::Kind;
use crate::search::nws::NONE;
use crate::search::worker::Searcher;
use crate::simd::dispatch::{Code, compiled};

compiled! {
    /// Five squares: those of `among` are tried. Where the legal ones are not known, that is all of them,
    /// since asking for them first takes as long.
    pub(crate) fn five<C>(searcher: &mut Searcher<'_>, board: Board, among: Squares, alpha: i32, odd: u64) -> i32 {
        if let Some(bound) = searcher.stability_bound::<5>(board, alpha) {
            searcher.nodes += 1;
            return bound;
        }
        match searcher.five_of::<C>(board, among, alpha, odd) {
            Some(score) => score,
            None => five_passed::<C>(searcher, board.passed(), !alpha, odd),
        }
    }
}

compiled! {
    /// The same for the side that moves after a pass, as the one that passed sees it; apart as in [`crate::endgame::last_squares`].
    fn five_passed<C>(searcher: &mut Searcher<'_>, board: Board, alpha: i32, odd: u64) -> i32 {
        match searcher.five_of::<C>(board, board.empty_squares(), alpha, odd) {
            Some(score) => -score,
            None => -board.final_score(),
        }
    }
}

compiled! {
    /// Six squares, of which the mover's `moves` are legal.
    pub(crate) fn six<C>(searcher: &mut Searcher<'_>, board: Board, moves: Squares, alpha: i32, odd: u64, kind: Kind) -> i32 {
        searcher.six_inlined::<C>(board, moves, alpha, odd, kind)
    }
}

impl Searcher<'_> {
    /// `None` when the mover has no move.
    #[inline(always)]
    fn five_of<C: Code>(
        &mut self,
        board: Board,
        among: Squares,
        alpha: i32,
        odd: u64,
    ) -> Option<i32> {
        let (me, opp) = (board.me(), board.opp());
        self.nodes += 1;
        let empty = !(me | opp);
        let mut best = NONE.0;
        for part in by_quadrant(among.bits(), empty, odd) {
            for square in Squares(part) {
                let turned = flips(me, opp, square);
                if turned == 0 {
                    continue;
                }
                let child = board.after(square, turned);
                // Known before the turned discs are, and with them the order of the four squares.
                let left = Squares(empty ^ square.bit());
                let score = -self.four::<C>(child, !alpha, left);
                if score > alpha {
                    return Some(score);
                }
                best = best.max(score);
            }
        }
        (best > NONE.0).then_some(best)
    }

    #[inline(always)]
    fn six_inlined<C: Code>(
        &mut self,
        board: Board,
        moves: Squares,
        alpha: i32,
        odd: u64,
        kind: Kind,
    ) -> i32 {
        self.nodes += 1;
        if let Some(bound) = self.stability_bound::<6>(board, alpha) {
            return bound;
        }
        if moves.is_empty() {
            let passed = board.passed();
            let moves = passed.moves();
            return if moves.is_empty() {
                board.final_score()
            } else {
                -six::<C>(self, passed, moves, !alpha, odd, kind.of_first())
            };
        }
        if kind == Kind::Cut && moves.len() > 1 {
            return self.six_sorted::<C>(board, moves, alpha, odd);
        }
        let mut best = NONE.0;
        let empty = board.empty_squares().bits();
        for part in by_quadrant(moves.bits(), empty, odd) {
            for square in Squares(part) {
                let odd = odd ^ quadrant(square);
                let child = board.child(square);
                let score = -five::<C>(self, child, child.empty_squares(), !alpha, odd);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    /// Six squares where a move should cut: the one that leaves the fewest answers is tried first. It
    /// costs what it saves, so that it is not worth it where all moves are needed.
    #[inline(always)]
    fn six_sorted<C: Code>(&mut self, board: Board, moves: Squares, alpha: i32, odd: u64) -> i32 {
        let empty = board.empty_squares().bits();
        let places = Places::new(empty, odd);
        let promise = Promise::few();
        let mut choices = Choices::<8>::new();
        for (at, square) in moves.enumerate() {
            let flips = board.flips(square);
            let child = board.after(square, flips);
            let answers = child.moves();
            let promise = promise.of(square, flips, answers.bits(), &places);
            choices.add(
                at,
                promise,
                Choice {
                    square,
                    flips,
                    answers,
                },
            );
        }
        let mut best = NONE.0;
        while let Some(Choice {
            square,
            flips,
            answers,
        }) = choices.take()
        {
            let child = board.after(square, flips);
            let odd = odd ^ quadrant(square);
            let score = -five::<C>(self, child, answers, !alpha, odd);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }
}

/// The squares of odd quadrants first, and of these the corners and those that touch no other of the
/// `empty` ones before the rest.
#[inline(always)]
const fn by_quadrant(squares: u64, empty: u64, odd: u64) -> [u64; 3] {
    let first = squares & odd;
    let front = first & (CORNERS | alone(empty));
    [front, first & !front, squares & !first]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use crate::search::shared::Search;
    use crate::simd::cpu::has_avx512;
    use crate::testing::{negamax, random_position};
    use crate::tt::Table;
    use papan_strategies::StopToken;

    #[test]
    fn five_to_eight_squares_agree_with_negamax_whatever_kind_is_expected() {
        let evaluation = Evaluation::zero();
        let table = Table::new(1).expect("1 MiB can be had");
        let never = StopToken::default();
        let [mut built, mut wide] = [(); 2].map(|()| Search::new(&table, &evaluation, &never));
        (built.wide, wide.wide) = (false, has_avx512());
        let searchers = &mut [&built, &wide].map(Searcher::new);
        for seed in 0..1200 {
            let empties = 5 + seed as u32 % 4;
            let searcher = &mut searchers[seed as usize / 4 % 2];
            let board = random_position(seed, empties);
            let exact = negamax(board);
            for alpha in [exact - 2, exact - 1, exact, exact + 1, 0] {
                for kind in [Kind::Cut, Kind::All] {
                    let bound = searcher.end(board, alpha, empties, kind);
                    let side = (bound > alpha, exact > alpha);
                    assert_eq!(side.0, side.1, "{board:?} {alpha} {exact} {bound}");
                    assert!(
                        if side.0 {
                            exact >= bound
                        } else {
                            exact <= bound
                        },
                        "{board:?} {alpha} {exact} {bound}"
                    );
                }
            }
        }
    }
}
