//! What a family of games tells whoever names, draws or words it.

use crate::{Notation, Shape};

/// A game that says how it is called and drawn.
pub trait GameInfo: Notation {
    /// The name by which the catalog finds this very game, `tictactoe:4x4`.
    fn name(&self) -> String;
    /// The sides of the board.
    fn shape(&self) -> &Shape;
    /// How the pieces on the board are drawn.
    fn pieces(&self) -> Pieces;
    /// How many in a row win, in games that are won so.
    fn winning_length(&self) -> Option<usize> {
        None
    }
    /// The sets of cells through this one that win together.
    fn lines_through(&self, _cell: usize) -> Vec<Vec<usize>> {
        Vec::new()
    }
    /// The cells that won together, for whoever marks them.
    fn winning_cells(&self, _pos: &Self::Position) -> Vec<usize> {
        Vec::new()
    }
}

/// How the pieces of a game are drawn. What they do is said by
/// [`Properties`](crate::Properties).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// As X and O, written into cells.
    Marks,
    /// As black and white discs.
    Discs,
}
