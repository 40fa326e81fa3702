//! Board size and winning length, as text (`7x7:5`) and as numbers.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::Shape;

/// Maximum number of cells of a board: 20x20 and 7x7x7 fit.
pub const MAX_CELLS: usize = 400;
/// Maximum number of dimensions.
pub const MAX_DIMENSIONS: usize = 4;

/// The sides of a board and the number in a row that wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GridSize {
    pub(crate) shape: Shape,
    pub(crate) length: usize,
}

/// The reason why a board size is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// Something in the text is not a number.
    #[error("`{0}` is not a number; a board is written 4x4, 3x3x3 or 7x7:5")]
    NotANumber(String),
    /// More than one colon.
    #[error("`{0}` has too many parts; a board is written 4x4, 3x3x3 or 7x7:5")]
    TooManyParts(String),
    /// No side, or too many of them.
    #[error("a board has 1 to 4 dimensions, not {0}")]
    Dimensions(usize),
    /// A side of 0.
    #[error("every side is at least 1")]
    EmptySide,
    /// Too large.
    #[error("a board has at most 400 cells; this one would have {0}")]
    TooLarge(String),
    /// A single number above the limit: it means a square.
    #[error("`{number}` means {number}x{number}, and a board has at most 400 cells{}", did_you_mean(suggestion.as_deref()))]
    LargeSquare {
        /// The number.
        number: usize,
        /// The board that was probably meant, `3x3` for 33.
        suggestion: Option<String>,
    },
    /// The single number 1.
    #[error("`1` would be a board of one cell; write 3 for 3x3, or 1x1")]
    OneCell,
    /// A line that fits nowhere.
    #[error("{length} in a row does not fit: it must be 1 to {longest}, the longest side")]
    Length {
        /// The requested length.
        length: usize,
        /// The longest side of the board.
        longest: usize,
    },
    /// More cells than this width of bits holds.
    #[error("this board has {cells} cells, and this width holds {capacity}")]
    Width {
        /// The requested number of cells.
        cells: usize,
        /// The capacity.
        capacity: usize,
    },
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |board| format!("; did you mean {board}?"))
}

impl GridSize {
    /// Creates a size of `length` in a row on a box with these sides.
    ///
    /// # Errors
    /// When the box is empty or exceeds the limits, or the line fits nowhere.
    pub fn new(sides: &[usize], length: usize) -> Result<Self, GridError> {
        if sides.is_empty() || sides.len() > MAX_DIMENSIONS {
            return Err(GridError::Dimensions(sides.len()));
        }
        if sides.contains(&0) {
            return Err(GridError::EmptySide);
        }
        let cells = sides
            .iter()
            .try_fold(1_usize, |product, &side| product.checked_mul(side));
        if cells.is_none_or(|cells| cells > MAX_CELLS) {
            let many = cells.map_or_else(|| "more than can be counted".into(), |n| n.to_string());
            return Err(GridError::TooLarge(many));
        }
        let longest = sides.iter().copied().max().unwrap_or(0);
        if length == 0 || length > longest {
            return Err(GridError::Length { length, longest });
        }
        Ok(Self {
            shape: Shape::new(sides),
            length,
        })
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.shape.cells()
    }

    /// Creates the square with a single number as its side.
    fn square(number: usize, length: Option<usize>) -> Result<Self, GridError> {
        if number == 1 {
            return Err(GridError::OneCell);
        }
        match Self::new(&[number, number], length.unwrap_or(number)) {
            Err(GridError::TooLarge(_)) => {
                let digits = number.to_string();
                let (height, width) = digits.split_at(digits.len() / 2);
                let board = format!("{height}x{width}");
                let suggestion = board.parse::<Self>().is_ok().then_some(board);
                Err(GridError::LargeSquare { number, suggestion })
            }
            size => size,
        }
    }

    fn usual_length(&self) -> usize {
        usual_length(self.shape.sides())
    }
}

/// Returns the winning length of a board whose name gives none: its shortest side, or the length of
/// a strip.
fn usual_length(sides: &[usize]) -> usize {
    let wide = sides.iter().copied().filter(|side| *side > 1);
    wide.min().or(sides.first().copied()).unwrap_or(0)
}

/// Returns today's name of a game whose name papan stored. In stored names, of records, results,
/// certificates and servers, a single number is a strip: `tictactoe:3` is `tictactoe:1x3` there, while a typed one is
/// a square. Names are stored in full today, so only old ones change.
#[must_use]
pub fn stored_game_name(name: &str) -> Cow<'_, str> {
    let Some((family, size)) = name.split_once(':') else {
        return name.into();
    };
    let sides = size.split(':').next().unwrap_or_default();
    let is_number = !sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit());
    match family.trim() {
        "tictactoe" if is_number => format!("{family}:1x{size}").into(),
        _ => name.into(),
    }
}

impl FromStr for GridSize {
    type Err = GridError;

    /// Parses `4x4`, `3x3x3`, `7x7:5` or `4`, which is `4x4`; without `:k`, k is the shortest side,
    /// or the length of a strip such as `1x5`.
    fn from_str(text: &str) -> Result<Self, GridError> {
        let number = |word: &str| -> Result<usize, GridError> {
            word.trim()
                .parse()
                .map_err(|_| GridError::NotANumber(word.trim().into()))
        };
        let mut parts = text.split(':');
        let sides = parts
            .next()
            .unwrap_or("")
            .split(['x', 'X', '×'])
            .map(number)
            .collect::<Result<Vec<_>, _>>()?;
        let given = parts.next().map(number).transpose()?;
        if parts.next().is_some() {
            return Err(GridError::TooManyParts(text.into()));
        }
        if let [number] = sides[..]
            && number > 0
        {
            return Self::square(number, given);
        }
        let length = given.unwrap_or_else(|| usual_length(&sides));
        // An empty side would otherwise be reported as a line that does not fit.
        Self::new(&sides, if sides.contains(&0) { 1 } else { length })
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape.sides().len() == 1 {
            f.write_str("1x")?;
        }
        write!(f, "{}", self.shape.text())?;
        if self.length != self.usual_length() {
            write!(f, ":{}", self.length)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for text in [
            "3x3", "4x3", "7x7:5", "3x3x3", "15x15:5", "4x4x4x4", "1x5", "1x1",
        ] {
            assert_eq!(text.parse::<GridSize>().unwrap().to_string(), text);
        }
        assert_eq!("3X3:3".parse::<GridSize>().unwrap().to_string(), "3x3");
    }

    #[test]
    fn a_single_number_is_a_square() {
        let name = |text: &str| text.parse::<GridSize>().map(|size| size.to_string());
        assert_eq!(name("3").unwrap(), "3x3");
        assert_eq!(name("20").unwrap(), "20x20");
        assert_eq!(name("7:5").unwrap(), "7x7:5");
        let large = |number, suggestion: Option<&str>| GridError::LargeSquare {
            number,
            suggestion: suggestion.map(str::to_owned),
        };
        assert_eq!(name("33").unwrap_err(), large(33, Some("3x3")));
        assert_eq!(name("1515").unwrap_err(), large(1515, Some("15x15")));
        assert_eq!(name("30").unwrap_err(), large(30, None));
        assert_eq!(
            name("33").unwrap_err().to_string(),
            "`33` means 33x33, and a board has at most 400 cells; did you mean 3x3?"
        );
        assert_eq!(name("1").unwrap_err(), GridError::OneCell);
        assert_eq!(name("0").unwrap_err(), GridError::EmptySide);
    }

    #[test]
    fn a_stored_single_number_is_a_strip() {
        for (stored, today) in [
            ("tictactoe:3", "tictactoe:1x3"),
            ("tictactoe:9:5", "tictactoe:1x9:5"),
            ("tictactoe:3x3", "tictactoe:3x3"),
            ("tictactoe", "tictactoe"),
            ("othello:8", "othello:8"),
        ] {
            assert_eq!(stored_game_name(stored), today);
        }
        let strip = GridSize::new(&[3], 3).unwrap();
        assert_eq!(strip.to_string(), "1x3");
        let read: GridSize = "1x3".parse().unwrap();
        assert_eq!((read.cells(), read.length), (3, 3));
    }

    #[test]
    fn impossible_boards_are_refused_with_the_reason() {
        let error = |text: &str| text.parse::<GridSize>().unwrap_err();
        assert_eq!(error("3xx"), GridError::NotANumber(String::new()));
        assert_eq!(error("0x3"), GridError::EmptySide);
        assert_eq!(error("1x1x1x1x1"), GridError::Dimensions(5));
        assert_eq!(error("20x21"), GridError::TooLarge("420".into()));
        assert!(matches!(
            error("9999999999x9999999999"),
            GridError::TooLarge(_)
        ));
        assert_eq!(
            error("3x3:4"),
            GridError::Length {
                length: 4,
                longest: 3
            }
        );
        assert_eq!(error("3x3:3:3"), GridError::TooManyParts("3x3:3:3".into()));
    }
}
