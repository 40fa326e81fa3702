//! Many threads at one search of so many plies: several bounds of the score are tested at once.
//!
//! A search for the score itself goes down its principal variation first and has little to share on
//! the way back. What it finds is, after all, two bounds: the score is at least so much, and not more.
//! Tests of single bounds can begin at once, each with its null window and with nodes of its own to
//! share ([`crate::crew`]), and whatever one of them finds the others read in the hash table. Where they
//! meet, the search for the score has little left to do.

use crate::crew::{Split, What};
use crate::kind::Kind;
use crate::midgame::{Best, NONE};
use crate::node::Node;
use crate::searcher::Searcher;
use std::sync::{Arc, Mutex, MutexGuard};

/// The fewest threads for whom it is worth it.
const MANY: usize = 8;

/// So many tests at a time: the score lies between two bounds, and each test has nodes to share.
pub(crate) const TESTS: usize = 2;

/// Whether so many threads test bounds.
pub(crate) const fn are_many(threads: usize) -> bool {
    threads >= MANY
}

/// What is known of a score that several threads look for.
pub(crate) struct Bracket {
    known: Mutex<Known>,
}

struct Known {
    low: i32,
    high: i32,
    expected: i32,
    /// The bounds that are being tested, and what stops each test.
    running: Vec<(i32, Arc<Split>)>,
}

impl Bracket {
    fn known(&self) -> MutexGuard<'_, Known> {
        let known = self.known.lock();
        known.expect("no thread panics holding the bounds")
    }
}

impl Known {
    const fn new(expected: i32) -> Self {
        Self {
            low: -64,
            high: 64,
            expected,
            running: Vec::new(),
        }
    }

    /// The next bound to test, the nearest to what is expected that nobody is at; none when the score is
    /// known.
    fn next(&self) -> Option<i32> {
        let is_open = |alpha: &i32| {
            (self.low..self.high).contains(alpha)
                && self.running.iter().all(|(running, _)| running != alpha)
        };
        // Selective searches may contradict each other: then there is nothing between the two.
        let middle = self.expected.max(self.low).min(self.high);
        (0..128)
            .flat_map(|away| [middle - 1 - away, middle + away])
            .find(is_open)
    }

    /// Takes in a result, and stops the tests that it answers.
    fn learn(&mut self, alpha: i32, score: i32) {
        if score > alpha {
            self.low = self.low.max(score);
        } else {
            self.high = self.high.min(score);
        }
        for (alpha, test) in &self.running {
            if !(self.low..self.high).contains(alpha) {
                test.cut();
            }
        }
    }
}

impl Searcher<'_> {
    /// The score of a node that has moves, found by testing bounds around what is `expected`; `None` when
    /// the search was stopped or its guesses contradict each other.
    pub(crate) fn bracket(&mut self, node: &Node, expected: i32, depth: u32) -> Option<i32> {
        let crew = &self.search().crew;
        let bracket = Arc::new(Bracket {
            known: Mutex::new(Known::new(expected)),
        });
        let split = self.new_split(node, expected, depth, What::Bounds(bracket.clone()), NONE);
        split.enter();
        crew.publish(&split);
        self.split = Some(split.clone());
        self.test_bounds(&split, &bracket);
        self.wait_below(&split);
        let known = bracket.known();
        (known.low == known.high).then_some(known.low)
    }

    /// Tests bounds of the split's node until its score is known.
    pub(crate) fn test_bounds(&mut self, split: &Arc<Split>, bracket: &Bracket) {
        while !self.stopped() {
            let mut known = bracket.known();
            let Some(alpha) = known.next() else {
                return;
            };
            let test = self.new_split(&split.node, alpha, split.depth, What::Nothing, NONE);
            known.running.push((alpha, test.clone()));
            let kind = if alpha < known.expected {
                Kind::Cut
            } else {
                Kind::All
            };
            drop(known);
            self.split = Some(test.clone());
            let score = self.test_bound(&split.node, alpha, split.depth, kind);
            let was_stopped = self.stopped();
            self.split = Some(split.clone());
            let mut known = bracket.known();
            known
                .running
                .retain(|(_, other)| !Arc::ptr_eq(other, &test));
            if !was_stopped {
                known.learn(alpha, score);
            }
        }
    }

    /// Whether the score of the root is above `alpha`: nothing but the hash table is trusted here.
    fn test_bound(&mut self, node: &Node, alpha: i32, depth: u32, kind: Kind) -> i32 {
        let known = self.table.probe(node.board);
        if let Some(score) = known.and_then(|entry| self.answer(entry, alpha, depth)) {
            return score;
        }
        let moves = node.board.moves();
        let hash_move = known.map(|entry| entry.mv).filter(|&mv| moves.contains(mv));
        let best: Best = match kind {
            Kind::Cut => self.nws_moves(node, alpha, depth, kind, moves, hash_move),
            Kind::All => self.nws_all_at_once(node, alpha, depth, moves, hash_move),
        };
        if !self.stopped() {
            self.remember_bound(node.board, alpha, best, depth);
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use crate::crew::Crew;
    use crate::search::Search;
    use crate::table::Table;
    use crate::testing::random_position;
    use papan_strategies::StopToken;

    /// What eight threads find within so many nodes.
    fn bracketed(node: &Node, expected: i32, depth: u32, node_limit: u64) -> Option<i32> {
        let evaluation = Evaluation::shipped();
        let never = StopToken::default();
        let table = Table::new(1).expect("1 MiB can be had");
        let mut search = Search::new(&table, &evaluation, &never);
        search.crew = Crew::new(8, 8);
        search.node_limit = node_limit;
        let search = &search;
        std::thread::scope(|scope| {
            for _ in 1..8 {
                scope.spawn(|| Searcher::new(search).help());
            }
            let found = Searcher::new(search).bracket(node, expected, depth);
            search.crew.dismiss();
            found
        })
    }

    #[test]
    fn tests_of_bounds_find_the_score_whatever_is_expected_where_nothing_is_guessed() {
        let evaluation = Evaluation::shipped();
        let never = StopToken::default();
        for seed in 0..12 {
            let node = Node::new(random_position(seed, 20));
            let table = Table::new(1).expect("1 MiB can be had");
            let search = Search::new(&table, &evaluation, &never);
            let (score, _) = Searcher::new(&search).pvs(&node, -64, 64, 7);
            let expected = score + seed as i32 % 7 - 3;
            let found = bracketed(&node, expected, 7, u64::MAX);
            assert_eq!(found, Some(score), "{:?}", node.board);
        }
    }

    #[test]
    fn a_limit_ends_all_tests() {
        let node = Node::new(random_position(1, 40));
        assert_eq!(bracketed(&node, 0, 14, 50_000), None);
    }

    #[test]
    fn the_bounds_nearest_to_what_is_expected_are_tested_until_they_meet() {
        let mut known = Known::new(4);
        assert_eq!(known.next(), Some(3));
        known.learn(3, 5);
        assert_eq!(known.next(), Some(5));
        known.learn(6, 6);
        assert_eq!(known.next(), Some(5));
        known.learn(5, 6);
        assert_eq!((known.low, known.high, known.next()), (6, 6, None));
        // Guesses that contradict each other end the search for the score, too.
        known.learn(7, 8);
        assert_eq!(known.next(), None);
    }
}
