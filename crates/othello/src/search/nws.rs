//! Search with the evaluation: the middle of the game, and solving far from the end.
//!
//! `depth` counts the plies still to search. Where it equals the number of empty squares the
//! result is the final score, exact or guessed at the step of selectivity in force; where it is
//! smaller, the evaluation answers at the horizon. Scores are in sixteenths of a disc ([`crate::eval::score`]).

use crate::board::Board;
use crate::board::geometry::{CORNERS, beside};
use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::eval::score::from_eval;
use crate::eval::score::{DISC, SCORE_MAX, floor_to_discs};
use crate::search::node_type::Kind;
use crate::search::probcut::{EXACT, shallow_depth};
use crate::search::worker::Searcher;
use crate::tt::cluster::{Bound, Entry};

/// The best score so far and its move; no move for a pass, or the end of the game.
pub(crate) type Best = (i32, Option<Square>);

/// Worse than anything.
pub(crate) const NONE: Best = (-SCORE_MAX - 1, None);

/// Up to this many empty squares, the endgame's cheap ordering is the faster one.
pub(crate) const END: u32 = 13;

/// Up to this depth the hash table is not asked, unless the end of the game is near.
pub(crate) const LAST_WITHOUT_TABLE: u32 = 2;

/// The least depth at which children are looked up in the hash table before searching.
const LOOK_UP_CHILDREN: u32 = 5;

/// The least depth at which shallow searches may cut.
const PROBCUT: u32 = 4;

/// The least depth at which a search asks a bolder one for the move that should cut, and in solving.
const ASK_BOLDER: u32 = 12;
const ASK_BOLDER_SOLVING: u32 = 22;

impl Searcher<'_> {
    /// The evaluation.
    #[inline(always)]
    pub(crate) fn evaluate(&self, node: &Node) -> i32 {
        from_eval(self.evaluation.evaluate(node))
    }

    /// Whether the score is above `alpha`: a bound that says so. `depth` may exceed the empty
    /// squares.
    pub(crate) fn nws(&mut self, node: &Node, alpha: i32, depth: u32, kind: Kind) -> i32 {
        let board = node.board;
        let empties = board.empties();
        let depth = depth.min(empties);
        // Step 1. The tiers below.
        let solving = depth == empties;
        // Final scores are whole.
        let alpha = if solving {
            DISC * floor_to_discs(alpha)
        } else {
            alpha
        };
        if solving && empties <= END {
            return DISC * self.end(board, floor_to_discs(alpha), empties, kind);
        }
        if depth <= LAST_WITHOUT_TABLE && !solving {
            return self.shallow::<false>(node, alpha, alpha + 1, depth);
        }
        self.nodes += 1;
        if self.stopped() {
            return alpha;
        }
        // Step 2. Stability.
        if let Some(bound) = self.stability_bound::<0>(board, floor_to_discs(alpha)) {
            return DISC * bound;
        }
        // Step 3. The hash table.
        let mut hash_move = None;
        // Whether a bolder search came here, too.
        let bolder = self.selectivity.saturating_sub(1);
        let mut is_foreseen = false;
        // What a shallower search found is surer than what the node above expects; in solving, what
        // the first move leaves in the table is worth waiting for.
        let mut needs_all = kind == Kind::All && !solving;
        if let Some(entry) = self.table.probe(board) {
            if let Some(score) = self.answer(entry, alpha, depth) {
                return score;
            }
            let (was_low, was_high) = (entry.upper() <= alpha, entry.lower() > alpha);
            needs_all = was_low || needs_all && !was_high;
            hash_move = Some(entry.mv);
            is_foreseen = u32::from(entry.depth) >= depth && entry.selectivity >= bolder;
        }
        // Step 4. Pass, or the end of the game.
        let moves = board.moves();
        if moves.is_empty() {
            return if board.passed().moves().is_empty() {
                DISC * board.final_score()
            } else {
                -self.nws(&node.passed(), !alpha, depth, kind.of_first())
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
            && let Some(score) = self.probcut(node, alpha, depth)
        {
            return score;
        }
        // Step 7. Where none did, one of this node alone finds the move that should cut.
        let ask_from = if solving {
            ASK_BOLDER_SOLVING
        } else {
            ASK_BOLDER
        };
        if self.selectivity > bolder && depth >= ask_from && kind == Kind::Cut && !is_foreseen {
            hash_move = self.bolder_move(node, alpha, depth, bolder).or(hash_move);
        }
        // Step 8. The hash move, then the others in order; all at once where none should cut.
        let hash_move = hash_move.filter(|&mv| moves.contains(mv));
        let all_at_once = needs_all && moves.len() > 1 && self.shares_all(depth, empties);
        let best = if all_at_once {
            self.nws_all_at_once(node, alpha, depth, moves, hash_move)
        } else {
            self.nws_moves(node, alpha, depth, kind, moves, hash_move)
        };
        if self.stopped() {
            return alpha;
        }
        // Step 9. Remember.
        self.remember(board, alpha, alpha + 1, best, depth);
        best.0
    }

    /// The move that a search of the same depth makes which guesses more.
    #[cold]
    fn bolder_move(
        &mut self,
        node: &Node,
        alpha: i32,
        depth: u32,
        selectivity: u8,
    ) -> Option<Square> {
        let surer = std::mem::replace(&mut self.selectivity, selectivity);
        self.nws(node, alpha, depth, Kind::Cut);
        self.selectivity = surer;
        self.table.probe(node.board).map(|entry| entry.mv)
    }

    /// Shares all moves of a node that should need them before any has been searched.
    pub(crate) fn nws_all_at_once(
        &mut self,
        node: &Node,
        alpha: i32,
        depth: u32,
        moves: Squares,
        hash_move: Option<Square>,
    ) -> Best {
        let mut list = Vec::from_iter(hash_move);
        let others = hash_move.map_or(moves, |square| moves.without(square));
        list.extend(self.order(node, others, alpha, depth).rest());
        self.share(node, alpha, depth, list, NONE).best
    }

    /// The null-window result of a move, from the side of whoever makes it; `kind` is that of the node
    /// after it.
    #[inline(always)]
    pub(crate) fn nws_child(
        &mut self,
        node: &Node,
        square: Square,
        alpha: i32,
        depth: u32,
        kind: Kind,
    ) -> i32 {
        let flips = node.board.flips(square);
        let left = node.empties() - 1;
        if depth > left && left <= END {
            // Near the end nobody asks for the features.
            let after = node.board.after(square, flips);
            return -DISC * self.end(after, !floor_to_discs(alpha), left, kind);
        }
        let child = node.after(square, flips);
        let place = self.take(child.board, depth);
        let score = -self.nws(&child, !alpha, depth - 1, kind);
        self.leave(place);
        score
    }

    #[inline]
    pub(crate) fn nws_moves(
        &mut self,
        node: &Node,
        alpha: i32,
        depth: u32,
        kind: Kind,
        mut moves: Squares,
        hash_move: Option<Square>,
    ) -> Best {
        let mut best = NONE;
        if let Some(square) = hash_move {
            let score = self.nws_child(node, square, alpha, depth, kind.of_first());
            best = (score, hash_move);
            moves = moves.without(square);
            if best.0 > alpha || moves.is_empty() {
                return best;
            }
        }
        let mut ordered = self.order(node, moves, alpha, depth);
        while let Some(square) = ordered.next() {
            if best.1.is_some() && self.is_elsewhere(node, square, depth, &mut ordered) {
                continue;
            }
            let next = kind.of_next(best.1.is_none());
            let score = self.nws_child(node, square, alpha, depth, next);
            if score > best.0 {
                best = (score, Some(square));
                if score > alpha {
                    return best;
                }
            }
            if ordered.left() > 0 && self.shares_rest(depth, node.empties()) && !self.stopped() {
                return self.share(node, alpha, depth, ordered.rest(), best).best;
            }
        }
        best
    }

    /// The bound of an entry that tells which side of `alpha` the score lies on.
    #[inline(always)]
    pub(crate) fn answer(&self, entry: Entry, alpha: i32, depth: u32) -> Option<i32> {
        let (lower, upper) = (entry.lower(), entry.upper());
        if !self.usable(entry, depth) {
            None
        } else if lower > alpha {
            Some(lower)
        } else {
            (upper <= alpha).then_some(upper)
        }
    }

    /// Whether an entry answers for this depth at the selectivity in force.
    #[inline(always)]
    pub(crate) fn usable(&self, entry: Entry, depth: u32) -> bool {
        u32::from(entry.depth) >= depth && entry.selectivity >= self.selectivity
    }

    /// Remembers what was found between `alpha` and `beta`.
    #[inline(always)]
    pub(crate) fn remember(&self, board: Board, alpha: i32, beta: i32, best: Best, depth: u32) {
        if let (score, Some(mv)) = best {
            let entry = Entry {
                score: score as i16,
                bound: Bound::of(score, alpha, beta),
                mv,
                depth: depth as u8,
                selectivity: self.selectivity,
            };
            self.table.store(board, entry);
        }
    }

    /// Enhanced transposition cut-off.
    #[inline]
    fn child_cut(&self, board: Board, moves: Squares, alpha: i32, depth: u32) -> Option<i32> {
        // All are asked for before the first is read: the answers come from main memory.
        let mut children = [Board::BARE; 64];
        let mut count = 0;
        for square in moves {
            let child = board.child(square);
            self.table.prefetch(child);
            children[count] = child;
            count += 1;
        }
        for &child in &children[..count] {
            if let Some(entry) = self.table.probe(child)
                && self.usable(entry, depth - 1)
                && -entry.upper() > alpha
            {
                return Some(-entry.upper());
            }
        }
        None
    }

    /// Lets a shallow search decide, where its result is far enough outside the window.
    fn probcut(&mut self, node: &Node, alpha: i32, depth: u32) -> Option<i32> {
        if self.probing >= 2 {
            return None;
        }
        let shallow = shallow_depth(depth);
        let margins = &self.search().margins;
        let margin = margins.at(self.selectivity, node.empties(), depth);
        // The least that is above `alpha`: final scores are whole.
        let least = if depth == node.empties() { DISC } else { 1 };
        let high = alpha + least + margin;
        let low = alpha - margin;
        // The evaluation itself tells which side is worth testing.
        let (below, above) = (alpha - margin / 2, alpha + margin / 2);
        let now = self
            .evaluation
            .bounded_score(node, below.min(above - 1), above);
        let mut cut = None;
        self.probing += 1;
        if high < SCORE_MAX && now >= above {
            if self.nws(node, high - 1, shallow, Kind::Cut) >= high {
                cut = Some(alpha + least);
            }
        } else if low > -SCORE_MAX && now <= below && self.nws(node, low, shallow, Kind::All) <= low
        {
            cut = Some(alpha);
        }
        self.probing -= 1;
        cut.filter(|_| !self.stopped())
    }

    /// One or two plies and the evaluation, without the hash table; also deeper for ordering,
    /// where the tables alone judge: `ROUGHLY`.
    pub(crate) fn shallow<const ROUGHLY: bool>(
        &mut self,
        node: &Node,
        mut alpha: i32,
        beta: i32,
        depth: u32,
    ) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.evaluate(node);
        }
        let board = node.board;
        let moves = board.moves();
        if moves.is_empty() {
            return if board.passed().moves().is_empty() {
                DISC * board.final_score()
            } else {
                -self.shallow::<ROUGHLY>(&node.passed(), -beta, -alpha, depth)
            };
        }
        let mut best = NONE.0;
        if depth == 1 {
            self.nodes += u64::from(moves.len());
            for part in at_a_glance(moves, board) {
                for square in part {
                    let flips = board.flips(square);
                    let score = if flips == board.opp() {
                        SCORE_MAX
                    } else if ROUGHLY {
                        -from_eval(self.evaluation.table_sum_after(node, square, flips))
                    } else {
                        // Only what beats the best so far and stays below beta need be exact.
                        let (low, high) = (-beta, -alpha.max(best));
                        -self
                            .evaluation
                            .bounded_score_after(node, square, flips, low, high)
                    };
                    best = best.max(score);
                    if best >= beta {
                        return best;
                    }
                }
            }
            return best;
        }
        let mut ordered = self.order(node, moves, alpha, depth);
        while let Some(square) = ordered.next() {
            let score = -self.shallow::<ROUGHLY>(&node.child(square), -beta, -alpha, depth - 1);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The moves of the last ply in the order that needs no look ahead: into corners, to where no corner is open, beside an
/// open corner. Of the first five cut of six, of the last two of five.
#[inline(always)]
const fn at_a_glance(moves: Squares, board: Board) -> [Squares; 3] {
    let moves = moves.bits();
    let exposed = beside(board.empty_squares().bits() & CORNERS) & !CORNERS;
    [
        Squares(moves & CORNERS),
        Squares(moves & !(CORNERS | exposed)),
        Squares(moves & exposed),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use crate::search::shared::Search;
    use crate::testing::random_position;
    use crate::tt::Table;
    use papan_strategies::StopToken;

    /// Plain negamax over the same evaluation: no window, no table, no ordering.
    fn negamax(evaluation: &Evaluation, node: &Node, depth: u32) -> i32 {
        if node.board.is_over() {
            return DISC * node.board.final_score();
        }
        if depth == 0 {
            return from_eval(evaluation.evaluate(node));
        }
        let moves = node.board.moves();
        if moves.is_empty() {
            return -negamax(evaluation, &node.passed(), depth);
        }
        moves
            .map(|square| -negamax(evaluation, &node.child(square), depth - 1))
            .max()
            .expect("there is a move")
    }

    #[test]
    fn a_search_of_fixed_depth_finds_what_plain_negamax_finds() {
        let evaluation = Evaluation::shipped();
        let never = StopToken::default();
        for seed in 0..24 {
            let depth = 1 + seed as u32 % 4;
            let node = Node::new(random_position(seed, 14 + seed as u32));
            let plain = negamax(&evaluation, &node, depth);
            let table = Table::new(1).expect("1 MiB can be had");
            let search = Search::new(&table, &evaluation, &never);
            let mut worker = Searcher::new(&search);
            let (score, best) = worker.pvs(&node, -SCORE_MAX, SCORE_MAX, depth);
            assert_eq!(score, plain, "{:?} at depth {depth}", node.board);
            assert!(best.is_some());
            for alpha in [plain - 3, plain - 1, plain, plain + 3] {
                let table = Table::new(1).expect("1 MiB can be had");
                let search = Search::new(&table, &evaluation, &never);
                let bound = Searcher::new(&search).nws(&node, alpha, depth, Kind::Cut);
                assert_eq!(bound > alpha, plain > alpha, "{:?} at {alpha}", node.board);
            }
        }
    }
}
