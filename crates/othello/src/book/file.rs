//! A book as a text file: a header, then a line for each position, the moves that lead there
//! and a score for each move from there.
//!
//! ```text
//! papan book 1
//! -: d3+0 c4+0 f5+0 e6+0
//! f5: d6+1 f6+1 f4-6
//! ```

use std::fmt;

use super::{Book, Entry, Scores, canonical, reached};
use crate::board::Board;
use crate::board::square::Square;

const HEADER: &str = "papan book 1";

/// What is wrong with a book, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found}; expected {expected}")]
pub struct BookError {
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What would be right.
    pub expected: &'static str,
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// With the line, when the text is no book or a move in it is illegal.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        let mut lines = (1..).zip(text.lines());
        match lines.next() {
            Some((_, line)) if line.trim_end() == HEADER => {}
            found => {
                let found = found.map_or("nothing", |(_, line)| line);
                let found = format!("`{}`", found.chars().take(40).collect::<String>());
                return Err(wrong(1, found, "the header `papan book 1`"));
            }
        }
        let mut book = Self::default();
        for (number, line) in lines {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (moves, scores) = row(number, line)?;
            let (key, _) = canonical(reached(&moves));
            book.entries.insert(key, Entry { moves, scores });
        }
        book.settle();
        Ok(book)
    }
}

fn wrong(line: usize, found: impl Into<String>, expected: &'static str) -> BookError {
    BookError {
        line,
        found: found.into(),
        expected,
    }
}

/// One position: the moves before the colon are played, those behind it only looked at.
fn row(number: usize, line: &str) -> Result<(Vec<Square>, Scores), BookError> {
    let Some((path, rest)) = line.split_once(':') else {
        return Err(wrong(
            number,
            "no `:`",
            "moves, a colon and scores: `f5: d6+1 f4-6`",
        ));
    };
    let path = path.trim();
    let mut board = Board::START;
    let mut moves = Vec::new();
    let mut left = if path == "-" { "" } else { path };
    while !left.is_empty() {
        let Some((square, behind)) = left.split_at_checked(2) else {
            return Err(wrong(number, format!("`{left}`"), "a square, a1 to h8"));
        };
        // Passes are left out.
        if board.moves().is_empty() {
            board = board.passed();
        }
        let square = legal(number, board, square)?;
        board = board.play(square).unwrap_or(board);
        moves.push(square);
        left = behind;
    }
    let mut scores = Scores::new();
    for word in rest.split_whitespace() {
        let Some((square, score)) = word.split_at_checked(2) else {
            return Err(wrong(
                number,
                format!("`{word}`"),
                "a square and a score: `d6+1`",
            ));
        };
        let square = legal(number, board, square)?;
        match score.parse::<i32>() {
            Ok(score @ -64..=64) => scores.push((square, score)),
            _ => {
                return Err(wrong(
                    number,
                    format!("`{word}`"),
                    "a score from -64 to +64",
                ));
            }
        }
    }
    if scores.is_empty() {
        return Err(wrong(number, "no scores", "a square and a score: `d6+1`"));
    }
    Ok((moves, scores))
}

fn legal(number: usize, board: Board, text: &str) -> Result<Square, BookError> {
    let square: Option<Square> = text.parse().ok();
    square
        .filter(|square| board.play(*square).is_some())
        .ok_or_else(|| wrong(number, format!("`{text}`"), "a legal move"))
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
            for (square, score) in &entry.scores {
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
    fn a_book_is_read_as_it_was_written() {
        let text = "papan book 1\nf5: d6+1 f6+1 f4-6\nf5d6: c3+0 c4-1 c5-1\n";
        let book = Book::parse(text).unwrap();
        assert_eq!((book.len(), book.to_string()), (2, text.to_owned()));
    }

    #[test]
    fn a_position_behind_a_pass_is_read_again() {
        // Somebody has no move before d2.
        let moves: Vec<Square> = ["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3", "d2"]
            .map(|square| square.parse().unwrap())
            .into();
        assert!(reached(&moves[..8]).moves().is_empty());
        let scores = reached(&moves).moves().map(|square| (square, 0)).collect();
        let mut book = Book::default();
        book.insert(moves, scores);
        let again = Book::parse(&book.to_string()).unwrap();
        assert_eq!(again.to_string(), book.to_string());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
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
            assert_eq!(error.to_string(), told, "{text:?}");
        }
    }
}
