//! Book building by best-first expansion: the likeliest position that is missing is searched next.
//!
//! A position costs more the worse the moves are that lead to it, and the later it is. The idea is
//! that of drop-out expansion (T. Lincke 2000, *Strategies for the automatic construction of opening
//! books*).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use papan_strategies::{StepKind, Watch};

use super::{Book, Canonical, ScoredSquare, position_after};
use crate::board::Board;
use crate::board::square::Square;
use crate::engine::Engine;
use crate::search::limits::SearchLimits;
use crate::search::selectivity::Selectivity;

/// The size of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildLimits {
    /// Number of positions.
    pub positions: usize,
    /// Search depth for each position.
    pub depth: u32,
    /// Longest line from the start, in moves.
    pub plies: usize,
    /// Largest loss in discs, compared with the best move, of a move that is followed.
    pub width: i32,
}

/// Cost of a ply in half discs: positions near the start come first.
const PLY_COST: i32 = 1;

/// A position that waits for expansion. Ordered by cost, then by moves.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OpenPosition {
    /// In half discs.
    cost: i32,
    moves: Vec<Square>,
}

/// Grows a book until it has the requested number of positions or `watch` stops it. The result
/// depends only on the book and the limits, so an interrupted build can be resumed.
pub fn build(book: &mut Book, engine: &mut Engine, limits: &BuildLimits, watch: &Watch) {
    watch.begin_step(0, StepKind::Game, limits.positions as u64);
    watch.advance(book.len() as u64, 0);
    let mut open = BinaryHeap::from([Reverse(OpenPosition {
        cost: 0,
        moves: Vec::new(),
    })]);
    let mut seen = HashSet::from([Canonical::of(Board::START).board]);
    while let Some(Reverse(OpenPosition { cost, moves })) = open.pop() {
        let board = position_after(&moves);
        if !book.contains(board) {
            if book.len() >= limits.positions {
                continue;
            }
            let Some(scores) = search_position(engine, board, limits.depth, watch) else {
                break;
            };
            book.insert(moves.clone(), scores);
        }
        if moves.len() + 1 >= limits.plies {
            continue;
        }
        let entry = book.entries[&Canonical::of(board).board].clone();
        let best = entry.scores.iter().map(|mv| mv.score).max();
        for ScoredSquare { square, score } in entry.scores {
            let loss = best.unwrap_or(score) - score;
            let mut child_moves = entry.moves.clone();
            child_moves.push(square);
            let child = position_after(&child_moves);
            let has_moves = !child.moves().is_empty();
            if loss <= limits.width && has_moves && seen.insert(Canonical::of(child).board) {
                open.push(Reverse(OpenPosition {
                    cost: cost + 2 * loss + PLY_COST,
                    moves: child_moves,
                }));
            }
        }
    }
    book.propagate_values();
}

/// Adds the opening positions of games that are not in the book, until `watch` stops it. A game is
/// its moves without passes.
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
        let openings = (0..game.len().min(limits.plies)).map(|ply| &game[..ply]);
        missing.extend(openings.filter(|moves| {
            let board = position_after(moves);
            !board.moves().is_empty()
                && !book.contains(board)
                && seen.insert(Canonical::of(board).board)
        }));
    }
    watch.begin_step(0, StepKind::Game, missing.len() as u64);
    for moves in missing {
        let board = position_after(moves);
        let Some(scores) = search_position(engine, board, limits.depth, watch) else {
            break;
        };
        book.insert(moves.to_vec(), scores);
    }
    book.propagate_values();
}

/// Scores every move of a position, best first. Returns `None` when it was stopped.
fn search_position(
    engine: &mut Engine,
    board: Board,
    depth: u32,
    watch: &Watch,
) -> Option<Vec<ScoredSquare>> {
    // All searches end with the same side to move, so that the evaluation's bias for the side to
    // move is the same in all scores.
    let parity = (board.empties() + depth) % 2;
    let limits = SearchLimits {
        depth: Some(depth + parity),
        // With many positions to search, depth is worth more than confidence.
        confidence: Some(Selectivity::Low.confidence()),
        every_move: true,
        ..SearchLimits::default()
    };
    // The result must not depend on earlier searches.
    engine.clear();
    let result = engine.search(board, &limits, &watch.stop, |_| {});
    watch.check_stop().ok()?;
    watch.advance(1, result.nodes);
    let scores = result.moves.iter().map(|mv| ScoredSquare {
        square: mv.square,
        score: mv.score,
    });
    Some(scores.collect())
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
        .expect("1 MiB is available")
    }

    fn grow(book: &mut Book, positions: usize) {
        let limits = BuildLimits {
            positions,
            ..LIMITS
        };
        build(book, &mut engine(), &limits, &Watch::default());
    }

    #[test]
    fn a_resumed_build_gives_the_same_book() {
        let mut whole = Book::default();
        grow(&mut whole, 12);
        assert_eq!(whole.len(), 12);
        let mut resumed = Book::default();
        grow(&mut resumed, 5);
        assert_eq!(resumed.len(), 5);
        let mut resumed = Book::parse(&resumed.to_string()).unwrap();
        grow(&mut resumed, 12);
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
    fn a_game_adds_its_missing_positions() {
        let mut book = Book::default();
        let game: Vec<Square> = ["f5", "d6", "c3"].map(|mv| mv.parse().unwrap()).into();
        let same: Vec<Square> = ["c4", "e3"].map(|mv| mv.parse().unwrap()).into();
        for games in [vec![game.clone(), same], vec![game]] {
            learn(&mut book, &mut engine(), &games, &LIMITS, &Watch::default());
            assert_eq!(book.len(), 3);
        }
    }
}
