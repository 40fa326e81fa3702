//! A book of openings from the engine's own search: positions near the start, each with a
//! score for every move.
//!
//! A position is found in every symmetry. What a move is worth is what the search behind it
//! says: scores come up from the last positions of the book to the first.

mod builder;
mod file;
mod player;

pub use builder::{BuildLimits, build, learn};
pub use file::BookError;
pub use player::BookPlayer;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::board::Board;
use crate::board::square::Square;

/// What a search said of the moves of one position, the best first.
type Scores = Vec<(Square, i32)>;

/// A position of a book with what led there first.
#[derive(Clone, Debug)]
struct Entry {
    /// Moves from the start; the position is where they lead.
    moves: Vec<Square>,
    scores: Scores,
}

/// A book of openings.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// By the representative among the symmetric images.
    entries: HashMap<Board, Entry>,
    /// What each position is worth, for the player to move.
    values: HashMap<Board, i32>,
}

/// What a book says of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// What it is worth to the player who makes it, in discs.
    pub value: i32,
    /// Whether the book goes on behind it.
    pub in_book: bool,
}

impl Book {
    /// The book that comes with papan.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: OnceLock<Arc<Book>> = OnceLock::new();
        let read = || Self::parse(include_str!("../../book/othello.book"));
        Arc::clone(SHIPPED.get_or_init(|| Arc::new(read().expect("the shipped book is whole"))))
    }

    /// How many positions are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the book says of every move of a position, the best first; nothing where the
    /// position is not in it.
    #[must_use]
    pub fn moves(&self, board: Board) -> Vec<BookMove> {
        let (key, symmetry) = canonical(board);
        let Some(entry) = self.entries.get(&key) else {
            return Vec::new();
        };
        let reached = reached(&entry.moves);
        let (_, of_entry) = canonical(reached);
        // From the entry's own orientation through the representative to the asked one.
        let turned = |square: Square| back(moved(square, of_entry), symmetry);
        let mut moves: Vec<BookMove> = entry
            .scores
            .iter()
            .map(|&(square, score)| {
                let child = reached.play(square).map(|child| canonical(child).0);
                let known = child.and_then(|child| self.values.get(&child));
                BookMove {
                    square: turned(square),
                    value: known.map_or(score, |value| -value),
                    in_book: known.is_some(),
                }
            })
            .collect();
        moves.sort_by_key(|mv| (std::cmp::Reverse(mv.value), mv.square));
        moves
    }

    /// The moves of a position that are worth most; none where it is not in the book.
    #[must_use]
    pub fn best(&self, board: Board) -> Vec<BookMove> {
        let mut moves = self.moves(board);
        let best = moves.first().map(|mv| mv.value);
        moves.retain(|mv| Some(mv.value) == best);
        moves
    }

    /// Adds what a search said of a position; what was known of it before is replaced.
    fn insert(&mut self, moves: Vec<Square>, scores: Scores) {
        let (key, _) = canonical(reached(&moves));
        self.entries.insert(key, Entry { moves, scores });
    }

    /// Takes over the positions of another book that this one lacks.
    pub fn extend(&mut self, other: &Self) {
        for (key, entry) in &other.entries {
            self.entries.entry(*key).or_insert_with(|| entry.clone());
        }
        self.settle();
    }

    fn holds(&self, board: Board) -> bool {
        self.entries.contains_key(&canonical(board).0)
    }

    /// Works out what every position is worth, from those with most discs on.
    fn settle(&mut self) {
        let mut keys: Vec<Board> = self.entries.keys().copied().collect();
        keys.sort_by_key(|board| board.empties());
        self.values.clear();
        for key in keys {
            if let Some(best) = self.moves(key).first() {
                self.values.insert(key, best.value);
            }
        }
    }
}

/// The position that moves from the start lead to.
fn reached(moves: &[Square]) -> Board {
    let play = |board: Board, square: &Square| {
        let board = if board.moves().is_empty() {
            board.passed()
        } else {
            board
        };
        board.play(*square).unwrap_or(board)
    };
    moves.iter().fold(Board::START, play)
}

/// The representative of a position among its symmetric images, and the symmetry that
/// leads to it.
fn canonical(board: Board) -> (Board, u8) {
    (0..8)
        .map(|symmetry| (board.transformed(symmetry), symmetry))
        .min_by_key(|(image, _)| (image.me(), image.opp()))
        .expect("a board has eight images")
}

/// A square under a symmetry.
fn moved(square: Square, symmetry: u8) -> Square {
    let alone = Board::try_new(square.bit(), 0).expect("one disc stands alone");
    Square::lowest(alone.transformed(symmetry).me())
}

/// The square that a symmetry moves there.
fn back(square: Square, symmetry: u8) -> Square {
    let comes = |from: &Square| moved(*from, symmetry) == square;
    Square::all()
        .find(comes)
        .expect("a symmetry moves every square")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(text: &str) -> Vec<Square> {
        let words = text.as_bytes().chunks(2);
        words
            .map(|word| std::str::from_utf8(word).unwrap().parse().unwrap())
            .collect()
    }

    #[test]
    fn a_position_is_found_in_every_symmetry_with_its_moves_turned() {
        let mut book = Book::default();
        let scores = |list: &[(&str, i32)]| {
            list.iter()
                .map(|(mv, score)| (mv.parse().unwrap(), *score))
                .collect()
        };
        book.insert(squares("f5"), scores(&[("d6", 1), ("f6", 0), ("f4", -5)]));
        book.settle();
        for (first, best) in [("f5", "d6"), ("e6", "f4"), ("c4", "e3"), ("d3", "c5")] {
            let moves = book.moves(reached(&squares(first)));
            assert_eq!(moves.len(), 3);
            assert_eq!(
                (moves[0].square.to_string().as_str(), moves[0].value),
                (best, 1)
            );
            assert!(!moves[0].in_book);
        }
        assert!(book.moves(Board::START).is_empty());
    }

    #[test]
    fn what_is_behind_a_move_counts_more_than_its_own_score() {
        let mut book = Book::default();
        let scores = |list: &[(&str, i32)]| -> Scores {
            list.iter()
                .map(|(mv, score)| (mv.parse().unwrap(), *score))
                .collect()
        };
        book.insert(squares("f5"), scores(&[("d6", 3), ("f6", 2), ("f4", -5)]));
        // Behind d6 the other side does better than thought.
        book.insert(squares("f5d6"), scores(&[("c3", 1), ("c5", -1)]));
        book.settle();
        let best = book.best(reached(&squares("f5")));
        assert_eq!(best.len(), 1);
        assert_eq!(
            (best[0].square.to_string().as_str(), best[0].value),
            ("f6", 2)
        );
        let d6 = book.moves(reached(&squares("f5")))[1];
        assert_eq!((d6.value, d6.in_book), (-1, true));
    }

    #[test]
    fn the_shipped_book_is_legal_small_and_knows_the_usual_openings() {
        let book = Book::shipped();
        assert!(include_str!("../../book/othello.book").len() <= 2 << 20);
        for entry in book.entries.values() {
            let board = reached(&entry.moves);
            let legal: Vec<Square> = board.moves().collect();
            let mut scored: Vec<Square> = entry.scores.iter().map(|(square, _)| *square).collect();
            scored.sort_unstable();
            assert_eq!(scored, legal, "{:?}", entry.moves);
        }
        for known in ["", "f5", "f5d6", "f5f6", "f5d6c3d3"] {
            assert!(book.holds(reached(&squares(known))), "{known}");
        }
        // The parallel opening is known to be bad.
        let second = book.moves(reached(&squares("f5")));
        assert_eq!(
            second.last().map(|mv| mv.square.to_string()).as_deref(),
            Some("f4")
        );
    }
}
