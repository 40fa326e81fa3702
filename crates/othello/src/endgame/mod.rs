//! Endgame solver: exact null-window search near the end, ordered by cheap features.
//!
//! Three tiers, as in Edax: up to four empty squares the unrolled code of [`last_squares`]; at five
//! and six little more than quadrant parity orders the moves ([`shallow`]); above that a hash
//! table, stability cutoffs and fastest-first ordering by the opponent's mobility. From
//! [`MAX_ENDGAME_EMPTIES`] up, the midgame search ([`nws`](crate::search::nws)) is faster.
//!
//! The solver has its own state and knows nothing of the midgame search. Scores are whole discs.

mod cache;
mod last_squares;
mod move_ordering;
mod move_picker;
mod shallow;

use crate::board::Board;
use crate::board::geometry::{CORNERS, odd_quadrants};
use crate::board::square::{Square, Squares};
use crate::board::stability::{EdgeStability, edge_stability, stable_discs};
use crate::eval::score::{DISC, floor_to_discs};
use crate::search::best::Best;
use crate::search::node_type::NodeType;
use crate::search::selectivity::Selectivity;
use crate::search::stop_checker::StopChecker;
use crate::simd::cpu::has_avx512;
use crate::simd::dispatch::{Avx512, Baseline, Isa, multiversioned};
use crate::tt::TranspositionTable;
use crate::tt::cluster::{Bound, Entry};
use cache::EndgameCache;
use move_ordering::{OrderingWeights, SquareClasses};
use move_picker::{MovePicker, ScoredMove};

/// Up to this many empty squares the endgame solver is used.
pub(crate) const MAX_ENDGAME_EMPTIES: u32 = 13;

/// Up to this many empty squares positions are stored in the thread's own cache.
const MAX_CACHED_EMPTIES: u32 = 12;

/// At or below this many empties we skip the stop check and the lookup of children; specialised at
/// compile time because most calls land here.
const MAX_FEW_EMPTIES: u32 = 8;

/// The largest number of moves of a position with at most [`MAX_ENDGAME_EMPTIES`] empty squares,
/// rounded up.
const MAX_MOVES: usize = 16;

/// Minimum surplus of the opponent's discs, over those that a stability cutoff needs, at which
/// stable discs are computed. From there on more than one computation in four leads to a cutoff.
const STABILITY_SURPLUS: i32 = 13;

/// Additional weight of an opponent's corner in that count: stable regions grow from corners.
const STABILITY_CORNER_WEIGHT: i32 = 3;

/// The endgame solver of one thread.
pub(crate) struct EndgameSolver<'a> {
    checker: StopChecker<'a>,
    tt: &'a TranspositionTable,
    cache: EndgameCache,
    edges: &'static EdgeStability,
    use_avx512: bool,
}

/// Bounds and best move of a position, from either hash table.
#[derive(Clone, Copy)]
struct HashHit {
    lower: i8,
    upper: i8,
    mv: Square,
}

impl<'a> EndgameSolver<'a> {
    pub(crate) fn new(tt: &'a TranspositionTable, checker: StopChecker<'a>) -> Self {
        Self {
            checker,
            tt,
            cache: EndgameCache::new(),
            edges: edge_stability(),
            use_avx512: has_avx512(),
        }
    }

    /// Returns the node counter and limit checks, which the midgame search uses as well.
    #[inline(always)]
    pub(crate) const fn checker(&self) -> &StopChecker<'a> {
        &self.checker
    }

    #[inline(always)]
    pub(crate) const fn checker_mut(&mut self) -> &mut StopChecker<'a> {
        &mut self.checker
    }

    /// Returns a bound that lies on the same side of `alpha` as the exact score.
    #[inline]
    pub(crate) fn solve(
        &mut self,
        board: Board,
        alpha: i32,
        empties: u32,
        node_type: NodeType,
    ) -> i32 {
        if empties > 4 {
            return if self.use_avx512 {
                self.solve_any::<Avx512>(board, alpha, empties, node_type)
            } else {
                self.solve_any::<Baseline>(board, alpha, empties, node_type)
            };
        }
        let (me, opp) = (board.me(), board.opp());
        match empties {
            0 => {
                self.checker.count_node();
                board.final_score()
            }
            1 => {
                let x = Square::lowest(board.empty_squares().bits());
                last_squares::solve1(me, x, self.checker.nodes_mut())
            }
            2 => {
                let empty = board.empty_squares().bits();
                let (x, y) = (Square::lowest(empty), Square::highest(empty));
                last_squares::solve2(me, opp, alpha, x, y, self.checker.nodes_mut())
            }
            3 => {
                let mut empty = board.empty_squares();
                let squares = [(); 3].map(|()| empty.next().expect("three squares are empty"));
                last_squares::solve3(me, opp, alpha, squares, self.checker.nodes_mut())
            }
            _ => self.solve4::<Baseline>(board, alpha, board.empty_squares()),
        }
    }

    /// Stability cutoff: returns an upper bound on the mover's score, from the opponent's stable
    /// discs, if it is not above `alpha`. `MAX_EMPTIES` bounds the number of empty squares; 0 means
    /// unknown.
    #[inline(always)]
    pub(crate) fn stability_cutoff<const MAX_EMPTIES: usize>(
        &self,
        board: Board,
        alpha: i32,
    ) -> Option<i32> {
        let opp = board.opp();
        let discs =
            opp.count_ones() as i32 + STABILITY_CORNER_WEIGHT * (opp & CORNERS).count_ones() as i32;
        if 64 - 2 * (discs - STABILITY_SURPLUS) > alpha {
            return None;
        }
        let stable = stable_discs::<MAX_EMPTIES>(self.edges, opp, board.me()).count_ones() as i32;
        let bound = 64 - 2 * stable;
        (bound <= alpha).then_some(bound)
    }

    multiversioned! {
        /// Solves a position with at least five empty squares.
        fn solve_any [solve_any_baseline, solve_any_avx512] <I>(&mut self, board: Board, alpha: i32, empties: u32, node_type: NodeType) -> i32 {
            self.solve_moves::<I>(board, board.moves(), alpha, empties, node_type)
        }
    }

    multiversioned! {
        /// Solves a position with seven to [`MAX_FEW_EMPTIES`] empty squares.
        fn solve_few [solve_few_baseline, solve_few_avx512] <I>(&mut self, board: Board, moves: Squares, alpha: i32, empties: u32, node_type: NodeType) -> i32 {
            self.solve_hashed::<I, true>(board, moves, alpha, empties, node_type)
        }
    }

    multiversioned! {
        /// Solves a position with more than [`MAX_FEW_EMPTIES`] empty squares.
        fn solve_many [solve_many_baseline, solve_many_avx512] <I>(&mut self, board: Board, moves: Squares, alpha: i32, empties: u32, node_type: NodeType) -> i32 {
            self.solve_hashed::<I, false>(board, moves, alpha, empties, node_type)
        }
    }

    /// Solves a position with at least five empty squares whose legal `moves` are known.
    #[inline(always)]
    fn solve_moves<I: Isa>(
        &mut self,
        board: Board,
        moves: Squares,
        alpha: i32,
        empties: u32,
        node_type: NodeType,
    ) -> i32 {
        if empties > 6 {
            return if empties <= MAX_FEW_EMPTIES {
                self.solve_few::<I>(board, moves, alpha, empties, node_type)
            } else {
                self.solve_many::<I>(board, moves, alpha, empties, node_type)
            };
        }
        let odd = odd_quadrants(board.empty_squares().bits());
        match empties {
            5 => self.solve5::<I>(board, board.empty_squares(), alpha, odd),
            _ => self.solve6::<I>(board, moves, alpha, odd, node_type),
        }
    }

    /// Solves a position with a hash table and sorted moves. `FEW`: at most [`MAX_FEW_EMPTIES`].
    #[inline(always)]
    fn solve_hashed<I: Isa, const FEW: bool>(
        &mut self,
        board: Board,
        mut moves: Squares,
        alpha: i32,
        empties: u32,
        node_type: NodeType,
    ) -> i32 {
        // Step 1. Stability cutoff, while the hash entry is being fetched.
        self.checker.count_node();
        if !FEW && self.checker.stopped() {
            return alpha;
        }
        let is_cached = FEW || empties <= MAX_CACHED_EMPTIES;
        if is_cached {
            self.cache.prefetch(board);
        }
        let cutoff = if FEW {
            self.stability_cutoff::<{ MAX_FEW_EMPTIES as usize }>(board, alpha)
        } else {
            self.stability_cutoff::<0>(board, alpha)
        };
        if let Some(bound) = cutoff {
            return bound;
        }
        // Step 2. Hash table: the thread's cache near the end, the transposition table above.
        let mut hash_move = None;
        let hit = if is_cached {
            self.cache.probe(board).map(|entry| HashHit {
                lower: entry.lower,
                upper: entry.upper,
                mv: entry.mv(),
            })
        } else {
            self.probe_tt(board, empties)
        };
        if let Some(HashHit { lower, upper, mv }) = hit {
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
                -self.solve_moves::<I>(passed, moves, !alpha, empties, node_type.first_child())
            };
        }
        let mut best = Best::NONE;
        // Step 4. Hash move, before the others are sorted.
        if let Some(square) = hash_move.filter(|&mv| moves.contains(mv)) {
            let child = board.child(square);
            let child_type = node_type.first_child();
            let score = -self.solve_any::<I>(child, !alpha, empties - 1, child_type);
            best = Best::new(score, square);
            moves = moves.without(square);
        }
        // Step 5. The other moves, fastest first.
        if best.score <= alpha && !moves.is_empty() {
            let child_type = node_type.later_child(best.mv.is_none());
            let other = if moves.len() == 1 {
                let square = Square::lowest(moves.bits());
                let child = board.child(square);
                let score = -self.solve_any::<I>(child, !alpha, empties - 1, child_type);
                Best::new(score, square)
            } else if FEW {
                self.solve_sorted::<I, FEW, { MAX_FEW_EMPTIES as usize }>(
                    board, alpha, empties, moves, child_type,
                )
            } else {
                self.solve_sorted::<I, FEW, MAX_MOVES>(board, alpha, empties, moves, child_type)
            };
            if other.score > best.score {
                best = other;
            }
        }
        if !FEW && self.checker.stopped() {
            return alpha;
        }
        // Step 6. Store the result.
        let (score, Some(mv)) = (best.score, best.mv) else {
            return best.score;
        };
        if is_cached {
            let (lower, upper) = if score > alpha {
                (score, 64)
            } else {
                (-64, score)
            };
            self.cache.store(board, lower, upper, mv);
        } else {
            let entry = Entry {
                score: (DISC * score) as i16,
                bound: Bound::of(score, alpha, alpha + 1),
                mv,
                depth: empties as u8,
                selectivity: Selectivity::Exact,
            };
            self.tt.store(board, entry);
        }
        score
    }

    /// Probes the transposition table. Bounds of selective searches are not used, only their moves.
    #[inline(always)]
    fn probe_tt(&self, board: Board, empties: u32) -> Option<HashHit> {
        self.tt.probe(board).map(|entry| {
            let is_exact =
                u32::from(entry.depth) == empties && entry.selectivity == Selectivity::Exact;
            let (lower, upper) = if is_exact {
                let [lower, upper] = [entry.lower(), entry.upper()].map(floor_to_discs);
                (lower as i8, upper as i8)
            } else {
                (-64, 64)
            };
            HashHit {
                lower,
                upper,
                mv: entry.mv,
            }
        })
    }

    /// Searches `moves` in the order of their ordering scores; `child_type` is the expected type of
    /// the first child.
    #[inline(always)]
    fn solve_sorted<I: Isa, const FEW: bool, const CAPACITY: usize>(
        &mut self,
        board: Board,
        alpha: i32,
        empties: u32,
        moves: Squares,
        mut child_type: NodeType,
    ) -> Best {
        let empty = board.empty_squares().bits();
        let classes = SquareClasses::new(empty, odd_quadrants(empty));
        let weights = if FEW {
            OrderingWeights::few()
        } else {
            OrderingWeights::many(empties)
        };
        let mut picker = MovePicker::<CAPACITY>::new();
        for (at, square) in moves.enumerate() {
            let flips = board.flips(square);
            let child = board.after(square, flips);
            let replies = child.moves();
            // Enhanced transposition cutoff.
            if !FEW
                && empties > 9
                && let Some(entry) = self.cache.probe(child)
                && -i32::from(entry.upper) > alpha
            {
                return Best::new(-i32::from(entry.upper), square);
            }
            // The move ends the game.
            if replies.is_empty() && empties > 7 && child.passed().moves().is_empty() {
                let score = -child.final_score();
                if score > alpha {
                    return Best::new(score, square);
                }
            }
            let mut score = weights.score(square, flips, replies.bits(), &classes);
            if !FEW {
                score -= weights.frontier_penalty(child);
            }
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
        let mut best = Best::NONE;
        while let Some(mv) = picker.next() {
            let child = board.after(mv.square, mv.flips);
            let score = -self.solve_moves::<I>(child, mv.replies, !alpha, empties - 1, child_type);
            child_type = NodeType::Cut;
            if score > best.score {
                best = Best::new(score, mv.square);
                if score > alpha {
                    return best;
                }
            }
        }
        best
    }
}
