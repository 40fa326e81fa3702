//! Several threads at one search of so many plies: each searches the whole tree and puts off the
//! moves that another is at.
//!
//! Such a tree is thin and soon done. A node waits for its first move and for the shallow search
//! that may cut it, a step of the deepening waits for the one before, so that sharing single nodes
//! ([`crate::parallel::ybwc`]) leaves most threads without work. Here all begin at the root; what one of them
//! has found the others read in the hash table, and whoever is done first has the result.

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::node::Node;
use crate::parallel::ybwc::{Split, What};
use crate::search::move_picker::Ordered;
use crate::search::nws::{Best, NONE};
use crate::search::worker::Searcher;
use crate::tt::hash;
use std::sync::atomic::{AtomicU64, Ordering};

/// The least depth of a step that the others are called to.
const WORTH_CALLING: u32 = 8;

/// The least depth at which a thread looks where the others are.
const LOOK_AROUND: u32 = 5;

/// How many moves can be marked as taken; two that meet in one place cost a little time at most.
const PLACES: usize = 4096;

/// The moves that threads are at, by the position after them and the depth.
pub(crate) struct Taken(Box<[AtomicU64; PLACES]>);

/// A mark of a thread at a move.
#[derive(Clone, Copy)]
pub(crate) struct Place(u64);

impl Default for Taken {
    fn default() -> Self {
        Self(Box::new([const { AtomicU64::new(0) }; PLACES]))
    }
}

impl Place {
    fn new(after: Board, depth: u32) -> Self {
        // Never 0, which stands for nobody.
        Self(hash(after) ^ u64::from(depth) << 56 | 1 << 63)
    }
}

impl Taken {
    fn at(&self, place: Place) -> &AtomicU64 {
        &self.0[place.0 as usize % PLACES]
    }
}

impl Searcher<'_> {
    /// The score within the window, or a bound outside it, and the best move: by all threads, where
    /// there are several and it is worth calling them.
    pub(crate) fn pvs_together(&mut self, node: &Node, alpha: i32, beta: i32, depth: u32) -> Best {
        let crew = &self.search().crew;
        if crew.at_once < 2 || depth < WORTH_CALLING {
            return self.pvs(node, alpha, beta, depth);
        }
        // More threads than cores would only do the same again.
        let threads = crew.at_once;
        let tree = What::Tree { beta, threads };
        let split = self.new_split(node, alpha, depth, tree, NONE);
        // The owner comes before all others: it never goes ahead.
        let came = split.enter();
        crew.publish(&split);
        self.split = Some(split.clone());
        self.search_tree(&split, beta, came);
        crew.withdraw(&split);
        self.split = None;
        *split.best()
    }

    /// Searches the tree that others search, too; `came` threads were there before.
    pub(crate) fn search_tree(&mut self, split: &Split, beta: i32, came: usize) {
        let (node, alpha, depth) = (&split.node, split.alpha, split.depth);
        self.together = true;
        // Every second helper goes ahead to the step that comes next: what it finds answers here,
        // too, and the threads stay out of each other's way.
        if came > 0 && came.is_multiple_of(2) && depth + 2 < node.empties() {
            self.pvs(node, alpha, beta, depth + 2);
        }
        let found = self.pvs(node, alpha, beta, depth);
        self.together = false;
        let mut best = split.best();
        // Not stopped: not cut by another who was done before.
        if !self.stopped() {
            *best = found;
            split.cut();
        }
    }

    /// Marks that this thread is at the move to `after`.
    #[inline(always)]
    pub(crate) fn take(&self, after: Board, depth: u32) -> Option<Place> {
        if !self.together || depth < LOOK_AROUND {
            return None;
        }
        let place = Place::new(after, depth);
        let taken = self.crew.taken.as_ref()?;
        taken.at(place).store(place.0, Ordering::Relaxed);
        Some(place)
    }

    /// Takes the mark away.
    #[inline(always)]
    pub(crate) fn leave(&self, place: Option<Place>) {
        if let (Some(place), Some(taken)) = (place, &self.crew.taken) {
            let at = taken.at(place);
            if at.load(Ordering::Relaxed) == place.0 {
                at.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Whether another thread is at the move that was taken last, which then waits until all others
    /// have been tried.
    #[inline(always)]
    pub(crate) fn is_elsewhere(
        &self,
        node: &Node,
        square: Square,
        depth: u32,
        ordered: &mut Ordered,
    ) -> bool {
        if !self.together || depth < LOOK_AROUND || ordered.was_postponed() {
            return false;
        }
        let place = Place::new(node.board.child(square), depth);
        let taken = self.crew.taken.as_ref();
        let elsewhere =
            taken.is_some_and(|taken| taken.at(place).load(Ordering::Relaxed) == place.0);
        if elsewhere {
            ordered.postpone();
        }
        elsewhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use crate::eval::score::SCORE_MAX;
    use crate::parallel::ybwc::Crew;
    use crate::search::shared::Search;
    use crate::testing::random_position;
    use crate::tt::Table;
    use papan_strategies::StopToken;

    #[test]
    fn threads_together_find_what_one_finds_where_nothing_is_guessed() {
        let evaluation = Evaluation::shipped();
        let never = StopToken::default();
        for seed in 0..12 {
            // So near the end nobody goes ahead, where deeper results would answer.
            let node = Node::new(random_position(seed, WORTH_CALLING + 2));
            let found = [1, 3].map(|threads| {
                let table = Table::new(1).expect("1 MiB can be had");
                let mut search = Search::new(&table, &evaluation, &never);
                search.crew = Crew::new(threads, threads);
                let search = &search;
                std::thread::scope(|scope| {
                    for _ in 1..threads {
                        scope.spawn(|| Searcher::new(search).help());
                    }
                    let mut searcher = Searcher::new(search);
                    let (score, _) =
                        searcher.pvs_together(&node, -SCORE_MAX, SCORE_MAX, WORTH_CALLING);
                    search.crew.dismiss();
                    score
                })
            });
            assert_eq!(found[0], found[1], "{:?}", node.board);
        }
    }

    #[test]
    fn a_move_that_another_is_at_waits_until_all_others_were_tried() {
        let evaluation = Evaluation::shipped();
        let never = StopToken::default();
        let table = Table::new(1).expect("1 MiB can be had");
        let mut search = Search::new(&table, &evaluation, &never);
        search.crew = Crew::new(2, 2);
        let [mut one, mut other] = [Searcher::new(&search), Searcher::new(&search)];
        (one.together, other.together) = (true, true);
        let node = Node::new(Board::START);
        let mut ordered = one.order(&node, node.board.moves(), 0, LOOK_AROUND);
        let first = ordered.next().expect("there are four moves");
        let place = other.take(node.board.child(first), LOOK_AROUND);
        assert!(one.is_elsewhere(&node, first, LOOK_AROUND, &mut ordered));
        for _ in 1..node.board.moves().len() {
            let square = ordered.next().expect("a move is left");
            assert!(square != first);
            assert!(!one.is_elsewhere(&node, square, LOOK_AROUND, &mut ordered));
        }
        assert_eq!(ordered.next(), Some(first));
        assert!(!one.is_elsewhere(&node, first, LOOK_AROUND, &mut ordered));
        other.leave(place);
        assert!(place.is_some() && one.take(node.board, LOOK_AROUND - 1).is_none());
    }
}
