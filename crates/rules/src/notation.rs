//! Notation: moves and positions as text.

use crate::{Game, Move, Player, PositionError, Shape, position_text};

/// A game whose moves and positions can be written and parsed.
pub trait Notation: Game {
    /// Formats a move for files and programs.
    fn format_move(&self, mv: Move) -> String;
    /// Formats a move for people: as a square where [`names_squares`](Notation::names_squares) says
    /// so.
    fn show_move(&self, mv: Move) -> String {
        self.format_move(mv)
    }
    /// Returns whether cells are shown as squares, such as `h8`: column letters, then the row.
    /// Otherwise cells have numbers.
    fn names_squares(&self) -> bool {
        false
    }
    /// Parses one move, in any notation of the game. The move is on the board, but need not be
    /// legal.
    ///
    /// # Errors
    /// When the text is not a move of this board.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError>;
    /// Returns whether moves may be written without separators (`f5d6c3`).
    fn runs_together(&self) -> bool {
        false
    }
    /// Returns the position with these cells and `turn` to move.
    ///
    /// # Errors
    /// When no game can lead there.
    fn position(
        &self,
        cells: &[Option<Player>],
        turn: Player,
    ) -> Result<Self::Position, PositionError>;
    /// Formats a position: its cells in order, then the side to move.
    fn format_position(&self, pos: &Self::Position) -> String
    where
        Self: Sized,
    {
        position_text::format(self, pos)
    }
    /// Parses a position as [`Notation::format_position`] writes it; spaces, newlines and `/`
    /// between rows are ignored.
    ///
    /// # Errors
    /// When the text is not a position of this board, or one that cannot arise.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        let (cells, turn) = position_text::parse_cells(text, self.cells())?;
        self.position(&cells, turn)
    }
}

/// The reason why a text is not a move of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text is empty.
    #[error("a move is missing")]
    Empty,
    /// The text does not look like a move.
    #[error("`{text}` is not a move; write {expected}")]
    NotAMove {
        /// The text.
        text: String,
        /// The expected form, such as "a number from 1 to 9".
        expected: String,
    },
    /// The text looks like a move of a larger board.
    #[error("`{text}` is not on the board; write {expected}")]
    OutOfRange {
        /// The text.
        text: String,
        /// The expected form.
        expected: String,
    },
}

/// Returns the letters of a column: `a` to `z`, then `aa`, `ab` and so on, without a gap.
#[must_use]
pub fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        rest => column_name(rest - 1) + &letter.to_string(),
    }
}

/// Returns a cell of a flat board as a square, such as `f5`: the column's letters, then the row
/// from the top.
pub(crate) fn square(cell: usize, shape: &Shape) -> Option<String> {
    let [_, columns] = *shape.sides() else {
        return None;
    };
    Some(format!(
        "{}{}",
        column_name(cell % columns),
        cell / columns + 1
    ))
}

/// Parses `f5` as row (from 1) and column (from 0); `None` when the text has another form.
pub(crate) fn parse_square(text: &str) -> Option<(usize, usize)> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &text[..text.len() - digits.len()];
    if letters.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row: usize = digits.parse().ok()?;
    // Saturates: more letters than any board has columns are off the board, not an overflow.
    let column = letters.bytes().fold(0_usize, |column, letter| {
        let place = usize::from(letter.to_ascii_lowercase() - b'a') + 1;
        column.saturating_mul(26).saturating_add(place)
    });
    Some((row, column - 1))
}

/// Parses a cell of a grid: its number from 1, or on two-dimensional boards its square.
pub(crate) fn parse_cell_number(text: &str, shape: &Shape) -> Result<Move, NotationError> {
    let text = text.trim();
    let cells = shape.cells();
    let expected = || match square(cells - 1, shape) {
        Some(last) => format!("a number from 1 to {cells}, or a square from a1 to {last}"),
        None => format!("a number from 1 to {cells}"),
    };
    let out_of_range = || NotationError::OutOfRange {
        text: text.into(),
        expected: expected(),
    };
    if text.is_empty() {
        return Err(NotationError::Empty);
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return match text.parse::<usize>() {
            Ok(number @ 1..) if number <= cells => Ok(Move::on(number - 1)),
            _ => Err(out_of_range()),
        };
    }
    if let ([rows, columns], Some((row, column))) = (shape.sides(), parse_square(text)) {
        return if (1..=*rows).contains(&row) && column < *columns {
            Ok(Move::on((row - 1) * columns + column))
        } else {
            Err(out_of_range())
        };
    }
    Err(NotationError::NotAMove {
        text: text.into(),
        expected: expected(),
    })
}

/// Returns whether the text means a pass.
pub(crate) fn is_pass(text: &str) -> bool {
    ["pass", "pa", "ps", "--"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// A word of a list of moves, and its start in bytes.
pub(crate) type Word<'a> = (usize, &'a str);

/// Splits a list of moves at spaces and commas and, where a game's moves may run together, between
/// `f5` and `d6`.
pub(crate) fn split_moves(text: &str, runs_together: bool) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != ',') {
        let word = &rest[start..];
        let end = word
            .find(|c: char| c.is_whitespace() || c == ',')
            .unwrap_or(word.len());
        let offset = text.len() - word.len();
        let word = &word[..end];
        rest = &text[offset + end..];
        if runs_together && word.len() > 3 && word.is_ascii() && !is_pass(word) {
            split_pairs(offset, word, &mut words);
        } else {
            words.push((offset, word));
        }
    }
    words
}

fn split_pairs<'a>(offset: usize, word: &'a str, words: &mut Vec<Word<'a>>) {
    let mut at = 0;
    while at < word.len() {
        let rest = &word[at..];
        let length = if rest.len() >= 4 && is_pass(&rest[..4]) {
            4
        } else {
            rest.len().min(2)
        };
        words.push((offset + at, &rest[..length]));
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_like_those_of_a_spreadsheet() {
        let names = [
            (0, "a"),
            (8, "i"),
            (25, "z"),
            (26, "aa"),
            (51, "az"),
            (52, "ba"),
            (399, "oj"),
        ];
        for (column, name) in names {
            assert_eq!(column_name(column), name);
            assert_eq!(parse_square(&format!("{name}7")), Some((7, column)));
        }
        // The names in order count in letters without a gap.
        let counted: Vec<String> = (0..702).map(column_name).collect();
        let mut sorted = counted.clone();
        sorted.sort_by_key(|name| (name.len(), name.clone()));
        sorted.dedup();
        assert_eq!(counted, sorted);
    }

    #[test]
    fn a_text_that_only_resembles_a_square_is_none() {
        for text in [
            "",
            "5",
            "h",
            "h8x",
            "8h",
            "h-8",
            "é8",
            "h99999999999999999999",
        ] {
            assert_eq!(parse_square(text), None, "{text}");
        }
        assert!(parse_square("zzzzzzzzzzzzzzzzzzzzzzzz1").is_some_and(|(_, c)| c > 400));
    }

    #[test]
    fn lists_are_split_with_their_places() {
        assert_eq!(
            split_moves(" 1, 5  9", false),
            [(1, "1"), (4, "5"), (7, "9")]
        );
        assert_eq!(
            split_moves("f5d6 c3passd3", true),
            [(0, "f5"), (2, "d6"), (5, "c3"), (7, "pass"), (11, "d3")]
        );
        assert_eq!(split_moves("PASS f5", true), [(0, "PASS"), (5, "f5")]);
        assert!(split_moves(" , ", true).is_empty());
    }
}
