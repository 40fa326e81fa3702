//! Board size and winning length, as text (`7x7:5`) and as numbers.

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

impl GridSize {
    /// Creates a size of `length` in a row on a box with these sides.
    ///
    /// # Errors
    /// When the box is empty, too large, or the line fits nowhere.
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

    fn shortest_side(&self) -> usize {
        self.shape.sides().iter().copied().min().unwrap_or(0)
    }
}

impl FromStr for GridSize {
    type Err = GridError;

    /// Parses `4x4`, `3x3x3` or `7x7:5`; without `:k`, k is the shortest side.
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
        let length = match parts.next() {
            Some(word) => number(word)?,
            None => sides.iter().copied().min().unwrap_or(0),
        };
        if parts.next().is_some() {
            return Err(GridError::TooManyParts(text.into()));
        }
        // An empty side would otherwise be reported as a line that does not fit.
        Self::new(&sides, if sides.contains(&0) { 1 } else { length })
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape.text())?;
        if self.length != self.shortest_side() {
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
        for text in ["3x3", "4x3", "7x7:5", "3x3x3", "15x15:5", "4x4x4x4", "5"] {
            assert_eq!(text.parse::<GridSize>().unwrap().to_string(), text);
        }
        assert_eq!("3X3:3".parse::<GridSize>().unwrap().to_string(), "3x3");
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
