//! Book file format: a header, then one line per position with its moves and their scores.
//!
//! ```text
//! papan book 1
//! -: d3+0 c4+0 f5+0 e6+0
//! f5: d6+1 f6+1 f4-6
//! ```

use std::fmt;

use super::{Book, Canonical, Entry, ScoredSquare, position_after};
use crate::board::Board;
use crate::board::square::Square;

const HEADER: &str = "papan book 1";

/// A syntax error in a book file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found}; expected {expected}")]
pub struct BookError {
    /// The line, counted from 1.
    pub line: usize,
    /// The offending text.
    pub found: String,
    /// The expected text.
    pub expected: &'static str,
}

impl Book {
    /// Parses a book file.
    ///
    /// # Errors
    /// When the syntax is wrong or a move is illegal.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        let mut lines = (1..).zip(text.lines());
        match lines.next() {
            Some((_, line)) if line.trim_end() == HEADER => {}
            found => {
                let found = found.map_or("nothing", |(_, line)| line);
                let found = format!("`{}`", found.chars().take(40).collect::<String>());
                return Err(error(1, found, "the header `papan book 1`"));
            }
        }
        let mut book = Self::default();
        for (number, line) in lines {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = parse_entry(number, line)?;
            let key = Canonical::of(position_after(&entry.moves)).board;
            book.entries.insert(key, entry);
        }
        book.propagate_values();
        Ok(book)
    }
}

fn error(line: usize, found: impl Into<String>, expected: &'static str) -> BookError {
    BookError {
        line,
        found: found.into(),
        expected,
    }
}

/// Parses one position: moves from the start, a colon, and scored moves.
fn parse_entry(number: usize, line: &str) -> Result<Entry, BookError> {
    let Some((path, rest)) = line.split_once(':') else {
        return Err(error(
            number,
            "no `:`",
            "moves, a colon and scores: `f5: d6+1 f4-6`",
        ));
    };
    let mut board = Board::START;
    let mut moves = Vec::new();
    let mut left = match path.trim() {
        "-" => "",
        path => path,
    };
    while !left.is_empty() {
        let Some((square, rest)) = left.split_at_checked(2) else {
            return Err(error(number, format!("`{left}`"), "a square, a1 to h8"));
        };
        // Passes are omitted.
        if board.moves().is_empty() {
            board = board.passed();
        }
        let square = parse_legal(number, board, square)?;
        board = board.play(square).unwrap_or(board);
        moves.push(square);
        left = rest;
    }
    let mut scores = Vec::new();
    for word in rest.split_whitespace() {
        let Some((square, score)) = word.split_at_checked(2) else {
            return Err(error(
                number,
                format!("`{word}`"),
                "a square and a score: `d6+1`",
            ));
        };
        let square = parse_legal(number, board, square)?;
        match score.parse::<i32>() {
            Ok(score @ -64..=64) => scores.push(ScoredSquare { square, score }),
            _ => {
                return Err(error(
                    number,
                    format!("`{word}`"),
                    "a score from -64 to +64",
                ));
            }
        }
    }
    if scores.is_empty() {
        return Err(error(number, "no scores", "a square and a score: `d6+1`"));
    }
    Ok(Entry { moves, scores })
}

fn parse_legal(number: usize, board: Board, text: &str) -> Result<Square, BookError> {
    let square: Option<Square> = text.parse().ok();
    square
        .filter(|square| board.play(*square).is_some())
        .ok_or_else(|| error(number, format!("`{text}`"), "a legal move"))
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        let mut entries: Vec<&Entry> = self.entries.values().collect();
        entries.sort_by(|a, b| (a.moves.len(), &a.moves).cmp(&(b.moves.len(), &b.moves)));
        for entry in entries {
            if entry.moves.is_empty() {
                write!(f, "-")?;
            }
            for square in &entry.moves {
                write!(f, "{square}")?;
            }
            write!(f, ":")?;
            for ScoredSquare { square, score } in &entry.scores {
                write!(f, " {square}{score:+}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_round_trips() {
        let text = "papan book 1\nf5: d6+1 f6+1 f4-6\nf5d6: c3+0 c4-1 c5-1\n";
        let book = Book::parse(text).unwrap();
        assert_eq!((book.len(), book.to_string()), (2, text.to_owned()));
    }

    #[test]
    fn a_position_after_a_pass_round_trips() {
        // There is a pass before d2.
        let moves: Vec<Square> = ["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3", "d2"]
            .map(|square| square.parse().unwrap())
            .into();
        assert!(position_after(&moves[..8]).moves().is_empty());
        let scores = position_after(&moves)
            .moves()
            .map(|square| ScoredSquare { square, score: 0 })
            .collect();
        let mut book = Book::default();
        book.insert(moves, scores);
        let again = Book::parse(&book.to_string()).unwrap();
        assert_eq!(again.to_string(), book.to_string());
    }

    #[test]
    fn a_syntax_error_names_its_line() {
        for (text, message) in [
            ("", "line 1: `nothing`; expected the header `papan book 1`"),
            (
                "papan book 1\nf5 d6+1\n",
                "line 2: no `:`; expected moves, a colon and scores: `f5: d6+1 f4-6`",
            ),
            (
                "papan book 1\n\nf5: a1+1\n",
                "line 3: `a1`; expected a legal move",
            ),
            (
                "papan book 1\nf5f5: d6+1\n",
                "line 2: `f5`; expected a legal move",
            ),
            (
                "papan book 1\nf5: d6+99\n",
                "line 2: `d6+99`; expected a score from -64 to +64",
            ),
            (
                "papan book 1\nf5: d6é\n",
                "line 2: `d6é`; expected a score from -64 to +64",
            ),
            (
                "papan book 1\nfé: d6+1\n",
                "line 2: `fé`; expected a square, a1 to h8",
            ),
            (
                "papan book 1\nf5:\n",
                "line 2: no scores; expected a square and a score: `d6+1`",
            ),
        ] {
            let error = Book::parse(text).unwrap_err();
            assert_eq!(error.to_string(), message, "{text:?}");
        }
    }
}
