//! Opening book: positions near the start with a search score for every move.
//!
//! Positions are looked up in all eight symmetries. The value of a move is propagated from the
//! positions after it by negamax (as in Lincke's drop-out expansion books and Edax's book): the
//! deepest searches decide. [`build`] grows a book, `file` has the text format, [`BookPlayer`] plays
//! from it.

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

/// A move with the score of its search, in discs.
#[derive(Clone, Copy, Debug)]
struct ScoredSquare {
    square: Square,
    score: i32,
}

/// A position of the book.
#[derive(Clone, Debug)]
struct Entry {
    /// Moves from the start that lead to the position; passes are omitted.
    moves: Vec<Square>,
    /// Every move with its score, best first.
    scores: Vec<ScoredSquare>,
}

/// An opening book.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// By canonical board.
    entries: HashMap<Board, Entry>,
    /// Propagated value of each position for the player to move, by canonical board.
    values: HashMap<Board, i32>,
}

/// A move in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// Its value in discs for the player who makes it.
    pub value: i32,
    /// Whether the position after it is in the book.
    pub in_book: bool,
}

impl Book {
    /// Returns the book that comes with papan.
    ///
    /// # Panics
    /// Never; a test parses it.
    #[must_use]
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: OnceLock<Arc<Book>> = OnceLock::new();
        let read = || Self::parse(include_str!("../../book/othello.book"));
        Arc::clone(
            SHIPPED.get_or_init(|| Arc::new(read().expect("a test parses the shipped book"))),
        )
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the book has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the moves of a position, best first; none if the position is not in the book.
    #[must_use]
    pub fn moves(&self, board: Board) -> Vec<BookMove> {
        let canonical = Canonical::of(board);
        let Some(entry) = self.entries.get(&canonical.board) else {
            return Vec::new();
        };
        let position = position_after(&entry.moves);
        let entry_canonical = Canonical::of(position);
        // From the entry's orientation through the canonical one to that of `board`.
        let oriented = |square: Square| canonical.preimage(entry_canonical.image(square));
        let mut moves: Vec<BookMove> = entry
            .scores
            .iter()
            .map(|&ScoredSquare { square, score }| {
                let child = position.play(square);
                let known = child.and_then(|child| self.values.get(&Canonical::of(child).board));
                BookMove {
                    square: oriented(square),
                    value: known.map_or(score, |value| -value),
                    in_book: known.is_some(),
                }
            })
            .collect();
        moves.sort_by_key(|mv| (std::cmp::Reverse(mv.value), mv.square));
        moves
    }

    /// Returns the moves of a position with the highest value; none if it is not in the book.
    #[must_use]
    pub fn best(&self, board: Board) -> Vec<BookMove> {
        let mut moves = self.moves(board);
        let best = moves.first().map(|mv| mv.value);
        moves.retain(|mv| Some(mv.value) == best);
        moves
    }

    /// Adds or replaces the position after `moves`.
    fn insert(&mut self, moves: Vec<Square>, scores: Vec<ScoredSquare>) {
        let key = Canonical::of(position_after(&moves)).board;
        self.entries.insert(key, Entry { moves, scores });
    }

    /// Adds the positions of another book that this one lacks.
    pub fn extend(&mut self, other: &Self) {
        for (key, entry) in &other.entries {
            self.entries.entry(*key).or_insert_with(|| entry.clone());
        }
        self.propagate_values();
    }

    fn contains(&self, board: Board) -> bool {
        self.entries.contains_key(&Canonical::of(board).board)
    }

    /// Computes the values of all positions by negamax, the latest positions first.
    fn propagate_values(&mut self) {
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

/// Returns the position after `moves` from the start; passes are implied.
fn position_after(moves: &[Square]) -> Board {
    moves.iter().fold(Board::START, |board, &square| {
        let mover = if board.moves().is_empty() {
            board.passed()
        } else {
            board
        };
        mover.play(square).unwrap_or(mover)
    })
}

/// The representative of a position among its symmetric images.
struct Canonical {
    board: Board,
    /// The symmetry that maps the position to `board`.
    symmetry: u8,
}

impl Canonical {
    fn of(board: Board) -> Self {
        (0..8)
            .map(|symmetry| Self {
                board: board.transformed(symmetry),
                symmetry,
            })
            .min_by_key(|image| (image.board.me(), image.board.opp()))
            .expect("a board has eight images")
    }

    /// Maps a square of the position to the canonical board.
    fn image(&self, square: Square) -> Square {
        let disc = Board::try_new(square.bit(), 0).expect("one disc does not overlap");
        Square::lowest(disc.transformed(self.symmetry).me())
    }

    /// Maps a square of the canonical board back to the position.
    fn preimage(&self, square: Square) -> Square {
        Square::all()
            .find(|&candidate| self.image(candidate) == square)
            .expect("a symmetry is a bijection")
    }
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

    fn scores(list: &[(&str, i32)]) -> Vec<ScoredSquare> {
        list.iter()
            .map(|&(mv, score)| ScoredSquare {
                square: mv.parse().unwrap(),
                score,
            })
            .collect()
    }

    #[test]
    fn a_position_is_found_in_every_symmetry() {
        let mut book = Book::default();
        book.insert(squares("f5"), scores(&[("d6", 1), ("f6", 0), ("f4", -5)]));
        book.propagate_values();
        for (first, best) in [("f5", "d6"), ("e6", "f4"), ("c4", "e3"), ("d3", "c5")] {
            let moves = book.moves(position_after(&squares(first)));
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
    fn the_value_of_the_next_position_replaces_the_score_of_a_move() {
        let mut book = Book::default();
        book.insert(squares("f5"), scores(&[("d6", 3), ("f6", 2), ("f4", -5)]));
        // After d6 the opponent does better than the shallower search found.
        book.insert(squares("f5d6"), scores(&[("c3", 1), ("c5", -1)]));
        book.propagate_values();
        let best = book.best(position_after(&squares("f5")));
        assert_eq!(best.len(), 1);
        assert_eq!(
            (best[0].square.to_string().as_str(), best[0].value),
            ("f6", 2)
        );
        let d6 = book.moves(position_after(&squares("f5")))[1];
        assert_eq!((d6.value, d6.in_book), (-1, true));
    }

    #[test]
    fn the_shipped_book_is_legal_small_and_has_the_usual_openings() {
        let book = Book::shipped();
        assert!(include_str!("../../book/othello.book").len() <= 2 << 20);
        for entry in book.entries.values() {
            let board = position_after(&entry.moves);
            let legal: Vec<Square> = board.moves().collect();
            let mut scored: Vec<Square> = entry.scores.iter().map(|mv| mv.square).collect();
            scored.sort_unstable();
            assert_eq!(scored, legal, "{:?}", entry.moves);
        }
        for known in ["", "f5", "f5d6", "f5f6", "f5d6c3d3"] {
            assert!(book.contains(position_after(&squares(known))), "{known}");
        }
        // The parallel opening is known to be bad.
        let second = book.moves(position_after(&squares("f5")));
        assert_eq!(
            second.last().map(|mv| mv.square.to_string()).as_deref(),
            Some("f4")
        );
    }
}
