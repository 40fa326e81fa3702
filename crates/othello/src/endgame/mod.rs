//! Exact null-window search near the end, ordered by cheap features.
//!
//! Three tiers: up to four empty squares the unrolled code of [`last`]; at five and six
//! hardly more than parity orders the moves ([`crate::endgame::shallow`]); above that the hash table, stability and the opponent's
//! mobility help. Far from the end, `midgame` takes over with the evaluation.

pub(crate) mod cache;
pub(crate) mod last_squares;
pub(crate) mod move_ordering;
pub(crate) mod move_picker;
pub(crate) mod shallow;

use crate::board::Board;
use crate::board::geometry::{CORNERS, odd_quadrants};
use crate::endgame::last_squares as last;
use crate::endgame::move_ordering::{Places, Promise};
use crate::endgame::move_picker::{Choice, Choices};
use crate::endgame::shallow::{five, six};
use crate::eval::score::{DISC, floor_to_discs};
use crate::search::node_type::Kind;
use crate::search::nws::{Best, NONE};
use crate::search::probcut::EXACT;
use crate::simd::dispatch::{Built, Code, Wide, compiled};
use crate::tt::cluster::{Bound, Entry};

use crate::board::square::{Square, Squares};
use crate::board::stability::stable_discs;
use crate::search::worker::Searcher;

/// Up to this many, positions are remembered in the thread's own table.
const NEAR: u32 = 12;

/// Up to this many, which most calls have, a search is over before anybody would notice that it should
/// stop, and children are not looked up: that code is compiled apart.
const FEW_SQUARES: u32 = 8;

/// How many discs more than would settle the score the opponent must have for a look at the stable ones to be worth it.
/// From there on more than one look of four settles it.
const SPARE: i32 = 13;

/// How many discs a corner counts for in that, besides being one: what is stable grows from there.
const PER_CORNER: i32 = 3;

compiled! {
    /// At least seven squares and at most [`FEW_SQUARES`].
    fn end_few<C>(searcher: &mut Searcher<'_>, board: Board, moves: Squares, alpha: i32, empties: u32, kind: Kind) -> i32 {
        searcher.end_remembered::<C, true>(board, moves, alpha, empties, kind)
    }
}

compiled! {
    /// More than [`FEW_SQUARES`].
    fn end_many<C>(searcher: &mut Searcher<'_>, board: Board, moves: Squares, alpha: i32, empties: u32, kind: Kind) -> i32 {
        searcher.end_remembered::<C, false>(board, moves, alpha, empties, kind)
    }
}

compiled! {
    /// Whatever number of squares, five or more.
    fn end_next<C>(searcher: &mut Searcher<'_>, board: Board, alpha: i32, empties: u32, kind: Kind) -> i32 {
        searcher.end_with::<C>(board, board.moves(), alpha, empties, kind)
    }
}

impl Searcher<'_> {
    /// The bound that the opponent's stable discs put on the mover's score, if it settles that
    /// the score is not above `alpha`. At most `MOST` squares are empty; 0 where that is not known.
    #[inline(always)]
    pub(crate) fn stability_bound<const MOST: usize>(
        &self,
        board: Board,
        alpha: i32,
    ) -> Option<i32> {
        let opp = board.opp();
        let discs = opp.count_ones() as i32 + PER_CORNER * (opp & CORNERS).count_ones() as i32;
        if 64 - 2 * (discs - SPARE) > alpha {
            return None;
        }
        let stable = stable_discs::<MOST>(self.edges, opp, board.me()).count_ones() as i32;
        let bound = 64 - 2 * stable;
        (bound <= alpha).then_some(bound)
    }

    /// Whether the exact score is above `alpha`: a bound that says so.
    #[inline]
    pub(crate) fn end(&mut self, board: Board, alpha: i32, empties: u32, kind: Kind) -> i32 {
        if empties > 4 {
            return if self.wide {
                end_next::<Wide>(self, board, alpha, empties, kind)
            } else {
                end_next::<Built>(self, board, alpha, empties, kind)
            };
        }
        match empties {
            0 => {
                self.nodes += 1;
                board.final_score()
            }
            1 => {
                let x = Square::lowest(board.empty_squares().bits());
                last::one(board.me(), x, &mut self.nodes)
            }
            2 => {
                let empty = board.empty_squares().bits();
                let (x, y) = (Square::lowest(empty), Square::highest(empty));
                last::two(board.me(), board.opp(), alpha, x, y, &mut self.nodes)
            }
            3 => {
                let mut squares = board.empty_squares();
                let squares = [(); 3].map(|()| squares.next().expect("three squares are empty"));
                last::three(board.me(), board.opp(), alpha, squares, &mut self.nodes)
            }
            _ => self.four::<Built>(board, alpha, board.empty_squares()),
        }
    }

    /// The same with four `empty` squares.
    #[inline(always)]
    pub(crate) fn four<C: Code>(&mut self, board: Board, alpha: i32, empty: Squares) -> i32 {
        if let Some(bound) = self.stability_bound::<4>(board, alpha) {
            self.nodes += 1;
            return bound;
        }
        last::four::<C>(board.me(), board.opp(), alpha, empty, &mut self.nodes)
    }

    /// The same with five or more empty squares, where the mover's `moves` are known.
    #[inline(always)]
    fn end_with<C: Code>(
        &mut self,
        board: Board,
        moves: Squares,
        alpha: i32,
        empties: u32,
        kind: Kind,
    ) -> i32 {
        if empties > 6 {
            return if empties <= FEW_SQUARES {
                end_few::<C>(self, board, moves, alpha, empties, kind)
            } else {
                end_many::<C>(self, board, moves, alpha, empties, kind)
            };
        }
        let odd = odd_quadrants(board.empty_squares().bits());
        match empties {
            5 => five::<C>(self, board, board.empty_squares(), alpha, odd),
            _ => six::<C>(self, board, moves, alpha, odd, kind),
        }
    }

    /// With the hash table and sorted moves; `FEW` where there are at most [`FEW_SQUARES`].
    #[inline(always)]
    fn end_remembered<C: Code, const FEW: bool>(
        &mut self,
        board: Board,
        mut moves: Squares,
        alpha: i32,
        empties: u32,
        kind: Kind,
    ) -> i32 {
        // Step 1. Stability, while the hash table's answer is on its way.
        self.nodes += 1;
        if !FEW && self.stopped() {
            return alpha;
        }
        if FEW || empties <= NEAR {
            self.near.prefetch(board);
        }
        let bound = if FEW {
            self.stability_bound::<{ FEW_SQUARES as usize }>(board, alpha)
        } else {
            self.stability_bound::<0>(board, alpha)
        };
        if let Some(bound) = bound {
            return bound;
        }
        // Step 2. The hash table: the thread's own near the end, the shared one above.
        let mut hash_move = None;
        let known = if FEW || empties <= NEAR {
            self.near
                .probe(board)
                .map(|known| (known.lower, known.upper, known.mv()))
        } else {
            self.table.probe(board).map(|entry| {
                if u32::from(entry.depth) == empties && entry.selectivity == EXACT {
                    let [lower, upper] = [entry.lower(), entry.upper()].map(floor_to_discs);
                    (lower as i8, upper as i8, entry.mv)
                } else {
                    (-64, 64, entry.mv)
                }
            })
        };
        if let Some((lower, upper, mv)) = known {
            if i32::from(lower) > alpha {
                return i32::from(lower);
            }
            if i32::from(upper) <= alpha {
                return i32::from(upper);
            }
            hash_move = Some(mv);
        }
        // Step 3. Pass, or the end of the game.
        if moves.is_empty() {
            let passed = board.passed();
            let moves = passed.moves();
            return if moves.is_empty() {
                board.final_score()
            } else {
                -self.end_with::<C>(passed, moves, !alpha, empties, kind.of_first())
            };
        }
        let mut best = NONE;
        // Step 4. The hash move goes before the sorting of the others.
        if let Some(square) = hash_move.filter(|&mv| moves.contains(mv)) {
            let child = board.child(square);
            let score = -end_next::<C>(self, child, !alpha, empties - 1, kind.of_first());
            best = (score, hash_move);
            moves = moves.without(square);
        }
        // Step 5. The others, the fewest answers first.
        if best.0 <= alpha && !moves.is_empty() {
            let next = kind.of_next(best.1.is_none());
            let other = if moves.len() == 1 {
                let square = Square::lowest(moves.bits());
                let child = board.child(square);
                let score = -end_next::<C>(self, child, !alpha, empties - 1, next);
                (score, Some(square))
            } else if FEW {
                self.end_sorted::<C, FEW, { FEW_SQUARES as usize }>(
                    board, alpha, empties, moves, next,
                )
            } else {
                // No position near the end has more moves.
                self.end_sorted::<C, FEW, 16>(board, alpha, empties, moves, next)
            };
            if other.0 > best.0 {
                best = other;
            }
        }
        if !FEW && self.stopped() {
            return alpha;
        }
        let (score, Some(mv)) = best else {
            return best.0;
        };
        let (lower, upper) = if score > alpha {
            (score, 64)
        } else {
            (-64, score)
        };
        if FEW || empties <= NEAR {
            self.near.store(board, lower, upper, mv);
        } else {
            let entry = Entry {
                score: (DISC * score) as i16,
                bound: Bound::of(score, alpha, alpha + 1),
                mv,
                depth: empties as u8,
                selectivity: EXACT,
            };
            self.table.store(board, entry);
        }
        score
    }

    /// The best of `set`, tried in the order of their promise; `next` is the kind of the first one's node.
    #[inline(always)]
    fn end_sorted<C: Code, const FEW: bool, const MOST: usize>(
        &mut self,
        board: Board,
        alpha: i32,
        empties: u32,
        set: Squares,
        mut next: Kind,
    ) -> Best {
        let empty = board.empty_squares().bits();
        let places = Places::new(empty, odd_quadrants(empty));
        let promise = if FEW {
            Promise::few()
        } else {
            Promise::many(empties)
        };
        let mut choices = Choices::<MOST>::new();
        for (at, square) in set.enumerate() {
            let flips = board.flips(square);
            let child = board.after(square, flips);
            let answers = child.moves();
            if !FEW
                && empties > 9
                && let Some(known) = self.near.probe(child)
                && -i32::from(known.upper) > alpha
            {
                return (-i32::from(known.upper), Some(square));
            }
            if answers.is_empty() && empties > 7 && child.passed().moves().is_empty() {
                let score = -child.final_score();
                if score > alpha {
                    return (score, Some(square));
                }
            }
            let mut promised = promise.of(square, flips, answers.bits(), &places);
            if !FEW {
                promised -= promise.against(child);
            }
            choices.add(
                at,
                promised,
                Choice {
                    square,
                    flips,
                    answers,
                },
            );
        }
        let mut best = NONE;
        while let Some(Choice {
            square,
            flips,
            answers,
        }) = choices.take()
        {
            let child = board.after(square, flips);
            let score = -self.end_with::<C>(child, answers, !alpha, empties - 1, next);
            next = Kind::Cut;
            if score > best.0 {
                best = (score, Some(square));
                if score > alpha {
                    return best;
                }
            }
        }
        best
    }
}
