//! Transition table of an automaton: rows of 14 characters in a text file.
//!
//! `[flag][nine cells]|[input]|[reply]`, as in document 000: the board before the person's input,
//! with `o` the computer and `x` the person, and the flag for the position after the reply.

use std::collections::HashMap;
use std::fmt;

/// Nine cells, as the computer sees them.
pub type Board = [Square; 9];

/// One cell of a table's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Square {
    /// `-`
    Empty,
    /// `o`
    Computer,
    /// `x`
    Person,
}

impl Square {
    fn letter(self) -> char {
        match self {
            Self::Empty => '-',
            Self::Computer => 'o',
            Self::Person => 'x',
        }
    }
}

/// State of the game after a row's reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowFlag {
    /// `-`: the game continues.
    Open,
    /// `w`: the computer has won.
    Won,
    /// `d`: a draw.
    Draw,
    /// `l`: the person has won. Our addition to the document's format.
    Lost,
}

impl RowFlag {
    fn letter(self) -> char {
        match self {
            Self::Open => '-',
            Self::Won => 'w',
            Self::Draw => 'd',
            Self::Lost => 'l',
        }
    }
}

/// One row of a table. Cells are counted from 0 here and from 1 in the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// State after the reply.
    pub flag: RowFlag,
    /// The board before the input.
    pub board: Board,
    /// The person's cell.
    pub input: usize,
    /// The computer's answer; `None` where there is nothing to answer.
    pub reply: Option<usize>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board: String = self.board.iter().map(|square| square.letter()).collect();
        let reply = self.reply.map_or("-".into(), |cell| (cell + 1).to_string());
        let flag = self.flag.letter();
        write!(f, "{flag}{board}|{}|{reply}", self.input + 1)
    }
}

/// An error in a table, with its place and the expected field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {}", found_text(*found))]
pub struct TableError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The expected field.
    pub expected: ExpectedField,
    /// The character found; `None` at the end of the line.
    pub found: Option<char>,
}

fn found_text(found: Option<char>) -> String {
    found.map_or("the end of the line".into(), |c| format!("`{c}`"))
}

/// A field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpectedField {
    /// State of the game after the reply.
    #[error("a flag: w, d, l or -")]
    Flag,
    /// A cell of the board.
    #[error("a cell: o, x or -")]
    Cell,
    /// Separator.
    #[error("`|`")]
    Bar,
    /// The person's cell.
    #[error("the person's cell, 1 to 9")]
    Input,
    /// The computer's cell.
    #[error("the reply, 1 to 9, or - for none")]
    Reply,
    /// Any row at all.
    #[error("a row such as -o--------|2|7; the file has none")]
    Row,
    /// Nothing more.
    #[error("the end of the line: a row has 14 characters")]
    End,
}

/// The rows of an automaton, in the order of their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitionTable {
    rows: Vec<(usize, Row)>,
    index: HashMap<(Board, usize), usize>,
    /// The names of states, from comments such as `# Q14` above their rows.
    names: HashMap<Board, String>,
}

impl TransitionTable {
    /// Reads a table. Blank lines and lines that start with `#` are passed over; a comment such as
    /// `# Q14` names the state of the next row. A board with two names has both: `Q11=Q14`.
    ///
    /// # Errors
    /// When any other line is not a row, or there is no row.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut table = Self::default();
        let mut name = None;
        for (number, line) in text.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            if let Some(comment) = line.strip_prefix('#') {
                name = state_name(comment).or(name);
            } else if !line.trim().is_empty() {
                let row = parse_row(line, number + 1)?;
                if let Some(name) = name.take() {
                    let names = table.names.entry(row.board).or_default();
                    let equals = if names.is_empty() { "" } else { "=" };
                    names.push_str(&format!("{equals}{name}"));
                }
                table.push(number + 1, row);
            }
        }
        if table.rows.is_empty() {
            return Err(TableError {
                line: text.split('\n').count(),
                column: 1,
                expected: ExpectedField::Row,
                found: None,
            });
        }
        Ok(table)
    }

    /// Adds a row with its line number in the file.
    pub fn push(&mut self, line: usize, row: Row) {
        // The document's program compares row after row: the first one counts.
        let place = self.rows.len();
        self.index.entry((row.board, row.input)).or_insert(place);
        self.rows.push((line, row));
    }

    /// The rows, each with its line in the file.
    #[must_use]
    pub fn rows(&self) -> &[(usize, Row)] {
        &self.rows
    }

    /// The row for a board before an input.
    #[must_use]
    pub fn row(&self, board: &Board, input: usize) -> Option<&Row> {
        let place = self.index.get(&(*board, input))?;
        Some(&self.rows[*place].1)
    }

    /// The name that the file gives to a board before an input.
    #[must_use]
    pub fn state_name(&self, board: &Board) -> Option<&str> {
        self.names.get(board).map(String::as_str)
    }

    /// Where the computer opens: the cell of the table's one-piece board.
    #[must_use]
    pub fn opening(&self) -> Option<usize> {
        self.rows.iter().find_map(|(_, row)| {
            let pieces = row.board.iter().filter(|s| **s != Square::Empty).count();
            let computer = row.board.iter().position(|s| *s == Square::Computer);
            computer.filter(|_| pieces == 1)
        })
    }

    /// Whether the table answers openings of the person.
    #[must_use]
    pub fn defends(&self) -> bool {
        let empty = [Square::Empty; 9];
        self.rows.iter().any(|(_, row)| row.board == empty)
    }
}

/// The board and input of a key as the file writes them, for messages.
pub(crate) fn key_text(board: &Board, input: usize) -> String {
    let board: String = board.iter().map(|square| square.letter()).collect();
    format!("{board}|{}", input + 1)
}

/// Returns the name in a comment that is nothing but the name of a state.
fn state_name(comment: &str) -> Option<&str> {
    let name = comment.trim();
    let digits = name.strip_prefix('Q')?;
    let is_number = !digits.is_empty() && digits.len() <= 4;
    (is_number && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

fn parse_row(line: &str, number: usize) -> Result<Row, TableError> {
    let characters: Vec<char> = line.chars().collect();
    let error = |at: usize, expected| TableError {
        line: number,
        column: at + 1,
        expected,
        found: characters.get(at).copied(),
    };
    let at = |index: usize| characters.get(index).map(|c| c.to_ascii_lowercase());
    let flag = match at(0).ok_or_else(|| error(0, ExpectedField::Flag))? {
        '-' => RowFlag::Open,
        'w' => RowFlag::Won,
        'd' => RowFlag::Draw,
        'l' => RowFlag::Lost,
        _ => return Err(error(0, ExpectedField::Flag)),
    };
    let mut board = [Square::Empty; 9];
    for (index, square) in board.iter_mut().enumerate() {
        *square = match at(index + 1) {
            Some('-') => Square::Empty,
            Some('o') => Square::Computer,
            Some('x') => Square::Person,
            _ => return Err(error(index + 1, ExpectedField::Cell)),
        };
    }
    let digit = |index: usize| match at(index) {
        Some(c @ '1'..='9') => Some(c as usize - '1' as usize),
        _ => None,
    };
    for index in [10, 12] {
        if at(index) != Some('|') {
            return Err(error(index, ExpectedField::Bar));
        }
    }
    let input = digit(11).ok_or_else(|| error(11, ExpectedField::Input))?;
    let reply = match at(13) {
        Some('-') => None,
        _ => Some(digit(13).ok_or_else(|| error(13, ExpectedField::Reply))?),
    };
    if characters.len() > 14 {
        return Err(error(14, ExpectedField::End));
    }
    Ok(Row {
        flag,
        board,
        input,
        reply,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_the_document_shows_it_and_written_back() {
        let table =
            TransitionTable::parse("# attack\r\n-o--------|2|7\r\n\r\nwOX----o--|3|4\n").unwrap();
        let rows: Vec<String> = table.rows().iter().map(|(_, r)| r.to_string()).collect();
        assert_eq!(rows, ["-o--------|2|7", "wox----o--|3|4"]);
        assert_eq!(table.rows()[1].0, 4);
        assert_eq!(table.opening(), Some(0));
        assert!(!table.defends());
    }

    #[test]
    fn a_broken_row_names_line_column_and_what_was_expected() {
        let place = |text: &str| {
            let error = TransitionTable::parse(text).unwrap_err();
            (error.line, error.column, error.found)
        };
        assert_eq!(place("\nqo--------|2|7"), (2, 1, Some('q')));
        assert_eq!(place("-o-----|2|7"), (1, 8, Some('|')));
        assert_eq!(place("-o--------|0|7"), (1, 12, Some('0')));
        assert_eq!(place("-o--------|2|"), (1, 14, None));
        assert_eq!(place("-o--------|2|77"), (1, 15, Some('7')));
    }

    #[test]
    fn a_file_without_rows_is_an_error() {
        // The last one has the line ends of an old Mac: one comment.
        for text in ["", "\n\n", "# no rows\n", "# rows\r-o--------|2|7\r"] {
            let error = TransitionTable::parse(text).unwrap_err();
            assert_eq!(error.expected, ExpectedField::Row, "{text:?}");
        }
    }
}
