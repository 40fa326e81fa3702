//! Name and appearance of a game, for registries and views.

use crate::{Notation, Shape};

/// A game with a name and an appearance.
pub trait GameInfo: Notation {
    /// Returns the name by which the catalog finds this game, such as `tictactoe:4x4`.
    fn name(&self) -> String;
    /// Returns the sides of the board.
    fn shape(&self) -> &Shape;
    /// Returns how the pieces are drawn.
    fn pieces(&self) -> Pieces;
    /// Returns k in games that are won by k in a row.
    fn winning_length(&self) -> Option<usize> {
        None
    }
    /// Returns whether this is an m,n,k-game: any line of k or more wins for either player, and every
    /// empty cell may be played. Proofs of the board with this k apply.
    fn is_mnk(&self) -> bool {
        false
    }
    /// Returns the winning lines through a cell.
    fn lines_through(&self, _cell: usize) -> Vec<Vec<usize>> {
        Vec::new()
    }
    /// Returns the cells of the completed winning lines, for highlighting.
    fn winning_cells(&self, _pos: &Self::Position) -> Vec<usize> {
        Vec::new()
    }
}

/// How the pieces of a game are drawn. Their behaviour is in [`Properties`](crate::Properties).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// As X and O, written into cells.
    Marks,
    /// As black and white discs in cells.
    Discs,
    /// As black and white stones on crossings of lines.
    Stones,
}

impl Pieces {
    /// Returns the number of a row of a flat board, counted from 0 at the top, beside the board.
    /// Boards with stones count their rows from the bottom.
    #[must_use]
    pub fn row_label(self, row: usize, rows: usize) -> usize {
        match self {
            Self::Marks | Self::Discs => row + 1,
            Self::Stones => rows - row,
        }
    }
}
