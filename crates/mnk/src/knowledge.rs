//! What is proved of positions before anybody searches.

use papan_rules::Player;

use crate::windows::{Cell, CellSet};

/// Somebody who knows proofs of positions of one board.
pub trait Knowledge: Send + Sync {
    /// What is proved of an unfinished position: the stones of both players, and whose turn
    /// it is.
    fn look(&self, stones: [CellSet; 2], turn: Player) -> Option<Known>;
}

/// What is proved of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The player to move wins.
    Wins {
        /// With this move.
        cell: Cell,
        /// In so many plies at most.
        plies: u32,
    },
    /// The other player wins.
    Loses {
        /// In so many plies at most.
        plies: u32,
    },
    /// The player to move at least draws.
    Holds {
        /// With each of these moves.
        cells: CellSet,
        /// Whether the other player at least draws, too.
        exact: bool,
    },
}
