//! How a book grows: the likeliest position that is not in it is searched next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use papan_strategies::{StepKind, Watch};

use super::{Book, Scores, canonical, reached};
use crate::board::Board;
use crate::board::square::Square;
use crate::engine::Engine;
use crate::search::limits::SearchLimits;
use crate::search::selectivity::Selectivity;

/// How far a book goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildLimits {
    /// Positions in it.
    pub positions: usize,
    /// Plies that each is searched.
    pub depth: u32,
    /// Moves from the start.
    pub plies: usize,
    /// Discs that a move may be worse than the best and still be followed.
    pub width: i32,
}

/// Every ply costs as much as so many halves of a disc: near the start, more is looked at.
const PLY_COST: i32 = 1;

/// Lets a book grow until it has so many positions, or `watch` stops it. The same book and the
/// same limits always grow to the same one, so that what was stopped may go on later.
pub fn build(book: &mut Book, engine: &mut Engine, limits: &BuildLimits, watch: &Watch) {
    watch.begin_step(0, StepKind::Game, limits.positions as u64);
    watch.advance(book.len() as u64, 0);
    let mut frontier = BinaryHeap::from([Reverse((0, Vec::<Square>::new()))]);
    let mut seen = HashSet::from([canonical(Board::START).0]);
    while let Some(Reverse((cost, moves))) = frontier.pop() {
        let board = reached(&moves);
        if !book.holds(board) {
            if book.len() >= limits.positions {
                continue;
            }
            let Some(scores) = searched(engine, board, limits.depth, watch) else {
                break;
            };
            book.insert(moves.clone(), scores);
        }
        if moves.len() + 1 >= limits.plies {
            continue;
        }
        let (key, _) = canonical(board);
        let known = book.entries[&key].clone();
        let best = known.scores.iter().map(|(_, score)| *score).max();
        for (square, score) in known.scores {
            let lost = best.unwrap_or(score) - score;
            let mut longer = known.moves.clone();
            longer.push(square);
            let child = reached(&longer);
            let playable = !child.moves().is_empty();
            if lost <= limits.width && playable && seen.insert(canonical(child).0) {
                frontier.push(Reverse((cost + 2 * lost + PLY_COST, longer)));
            }
        }
    }
    book.settle();
}

/// Adds the first positions of games that are not in the book, until `watch` stops it. A game
/// is its squares, passes left out.
pub fn learn(
    book: &mut Book,
    engine: &mut Engine,
    games: &[Vec<Square>],
    limits: &BuildLimits,
    watch: &Watch,
) {
    let mut missing: Vec<&[Square]> = Vec::new();
    let mut seen = HashSet::new();
    for game in games {
        let first = (0..game.len().min(limits.plies)).map(|ply| &game[..ply]);
        missing.extend(first.filter(|moves| {
            let board = reached(moves);
            !board.moves().is_empty() && !book.holds(board) && seen.insert(canonical(board).0)
        }));
    }
    watch.begin_step(0, StepKind::Game, missing.len() as u64);
    for moves in missing {
        let Some(scores) = searched(engine, reached(moves), limits.depth, watch) else {
            break;
        };
        book.insert(moves.to_vec(), scores);
    }
    book.settle();
}

/// Every move with its score, the best first; `None` where it was stopped.
fn searched(engine: &mut Engine, board: Board, depth: u32, watch: &Watch) -> Option<Scores> {
    // Every search ends with the same side to move: what the evaluation thinks of having the
    // move is then in all scores alike.
    let odd = (board.empties() + depth) % 2;
    let task = SearchLimits {
        depth: Some(depth + odd),
        // A book has many positions: a deeper look at each says more than a surer one.
        confidence: Some(Selectivity::Low.confidence()),
        every_move: true,
        ..SearchLimits::default()
    };
    // What is found must not depend on what was looked at before.
    engine.clear();
    let report = engine.search(board, &task, &watch.stop, |_| {});
    watch.check_stop().ok()?;
    watch.advance(1, report.nodes);
    let moves = report.moves.iter();
    Some(moves.map(|mv| (mv.square, mv.score)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    const LIMITS: BuildLimits = BuildLimits {
        positions: 12,
        depth: 2,
        plies: 6,
        width: 2,
    };

    fn engine() -> Engine {
        Engine::new(&Options {
            threads: 1,
            hash_mib: 1,
        })
        .expect("1 MiB can be had")
    }

    fn made(book: &mut Book, positions: usize) {
        let limits = BuildLimits {
            positions,
            ..LIMITS
        };
        build(book, &mut engine(), &limits, &Watch::default());
    }

    #[test]
    fn a_book_that_goes_on_grows_to_the_same() {
        let mut whole = Book::default();
        made(&mut whole, 12);
        assert_eq!(whole.len(), 12);
        let mut resumed = Book::default();
        made(&mut resumed, 5);
        assert_eq!(resumed.len(), 5);
        let mut resumed = Book::parse(&resumed.to_string()).unwrap();
        made(&mut resumed, 12);
        assert_eq!(resumed.to_string(), whole.to_string());
        let stopped = Watch::default();
        stopped.stop.stop();
        build(
            &mut resumed,
            &mut engine(),
            &BuildLimits {
                positions: 99,
                ..LIMITS
            },
            &stopped,
        );
        assert_eq!(resumed.len(), 12);
    }

    #[test]
    fn a_game_adds_the_positions_that_are_missing() {
        let mut book = Book::default();
        let game: Vec<Square> = ["f5", "d6", "c3"].map(|mv| mv.parse().unwrap()).into();
        let same: Vec<Square> = ["c4", "e3"].map(|mv| mv.parse().unwrap()).into();
        for games in [vec![game.clone(), same], vec![game]] {
            learn(&mut book, &mut engine(), &games, &LIMITS, &Watch::default());
            assert_eq!(book.len(), 3);
        }
    }
}
