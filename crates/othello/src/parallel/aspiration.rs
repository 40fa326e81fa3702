//! Many threads at one search of so many plies: several bounds of the score are tested at once.
//!
//! A search for the score itself goes down its principal variation first and has little to share on
//! the way back. What it finds is, after all, two bounds: the score is at least so much, and not more.
//! Tests of single bounds can begin at once, each with its null window and with nodes of its own to
//! share ([`crate::parallel::ybwc`]), and whatever one of them finds the others read in the hash table. Where they
//! meet, the score is known to less than a disc, and a move that gives it.

use crate::eval::node::Node;
use crate::eval::score::{DISC, SCORE_MAX, to_discs};
use crate::parallel::ybwc::{Split, What};
use crate::search::node_type::Kind;
use crate::search::nws::{Best, NONE};
use crate::search::worker::Searcher;
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
    /// The score is at least this, by that move.
    best: Best,
    /// The score is at most this.
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
            best: (-SCORE_MAX, None),
            high: SCORE_MAX,
            expected,
            running: Vec::new(),
        }
    }

    /// The next bound to test, the nearest to what is expected that nobody is at; none when the score is
    /// known to the disc. Each bound lies between two whole numbers of discs: a test tells which of them is nearer.
    fn next(&self) -> Option<i32> {
        let is_open = |alpha: &i32| {
            (self.best.0..self.high).contains(alpha)
                && self.running.iter().all(|(running, _)| running != alpha)
        };
        // Selective searches may contradict each other: then there is nothing between the two.
        let middle = to_discs(self.expected.max(self.best.0).min(self.high));
        (0..128)
            .flat_map(|away| [middle - away, middle + 1 + away])
            .map(below)
            .find(is_open)
    }

    /// Takes in a result, and stops the tests that it answers.
    fn learn(&mut self, alpha: i32, found: Best) {
        if found.0 <= alpha {
            self.high = self.high.min(found.0);
        } else if found.0 > self.best.0 {
            self.best = found;
        }
        for (alpha, test) in &self.running {
            if !(self.best.0..self.high).contains(alpha) {
                test.cut();
            }
        }
    }
}

/// The last score that is not told as so many discs.
const fn below(discs: i32) -> i32 {
    DISC * discs - DISC / 2 - 1
}

impl Searcher<'_> {
    /// The score of a node that has moves, or a little less that is told as the same number of discs, and a
    /// move that gives it, found by tests around what is `expected`; `None` when the search was stopped or its
    /// guesses contradict each other.
    pub(crate) fn bracket(&mut self, node: &Node, expected: i32, depth: u32) -> Option<Best> {
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
        let (low, mv) = known.best;
        (mv.is_some() && low <= known.high && known.next().is_none()).then_some(known.best)
    }

    /// Tests bounds of the split's node until nothing is left to test.
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
            let found = self.test_bound(&split.node, alpha, split.depth, kind);
            let was_stopped = self.stopped();
            self.split = Some(split.clone());
            let mut known = bracket.known();
            known
                .running
                .retain(|(_, other)| !Arc::ptr_eq(other, &test));
            if !was_stopped {
                known.learn(alpha, found);
            }
        }
    }

    /// Whether the score of the root is above `alpha`: nothing but the hash table is trusted here.
    fn test_bound(&mut self, node: &Node, alpha: i32, depth: u32, kind: Kind) -> Best {
        let known = self.table.probe(node.board);
        let moves = node.board.moves();
        let hash_move = known.map(|entry| entry.mv).filter(|&mv| moves.contains(mv));
        if let Some(score) = known.and_then(|entry| self.answer(entry, alpha, depth)) {
            return (score, hash_move);
        }
        let best = match kind {
            Kind::Cut => self.nws_moves(node, alpha, depth, kind, moves, hash_move),
            Kind::All => self.nws_all_at_once(node, alpha, depth, moves, hash_move),
        };
        if !self.stopped() {
            self.remember(node.board, alpha, alpha + 1, best, depth);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use crate::board::square::Square;
    use crate::parallel::ybwc::Crew;
    use crate::search::shared::Search;
    use crate::testing::random_position;
    use crate::tt::Table;
    use papan_strategies::StopToken;

    /// What eight threads find within so many nodes.
    fn bracketed(node: &Node, expected: i32, depth: u32, node_limit: u64) -> Option<Best> {
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
            let mut searcher = Searcher::new(&search);
            let (score, _) = searcher.pvs(&node, -SCORE_MAX, SCORE_MAX, 7);
            let expected = score + DISC * (seed as i32 % 7 - 3);
            let found = bracketed(&node, expected, 7, u64::MAX);
            let (low, mv) = found.expect("nothing stopped it");
            assert!(low <= score, "{:?}", node.board);
            assert_eq!(to_discs(low), to_discs(score), "{:?}", node.board);
            let child = node.child(mv.expect("there are moves"));
            let (after, _) = searcher.pvs(&child, -SCORE_MAX, SCORE_MAX, 6);
            assert!(low <= -after, "{:?}", node.board);
        }
    }

    #[test]
    fn a_limit_ends_all_tests() {
        let node = Node::new(random_position(1, 40));
        assert_eq!(bracketed(&node, 0, 14, 50_000), None);
    }

    #[test]
    fn the_bounds_nearest_to_what_is_expected_are_tested_until_they_meet() {
        let mut known = Known::new(4 * DISC);
        assert_eq!(known.next(), Some(below(4)));
        let [one, other] = [0, 1].map(|at| Some(Square::of_low_bits(at)));
        known.learn(below(4), (5 * DISC, one));
        assert_eq!(known.next(), Some(below(6)));
        known.learn(below(7), (6 * DISC + 3, one));
        assert_eq!(known.next(), Some(below(6)));
        known.learn(below(6), (6 * DISC - 2, other));
        assert_eq!(known.next(), None);
        assert_eq!(
            (known.best, known.high),
            ((6 * DISC - 2, other), 6 * DISC + 3)
        );
        // Guesses that contradict each other end the search for the score, too.
        known.learn(below(7), (8 * DISC, one));
        assert_eq!(known.next(), None);
    }
}
