//! What is proved of positions before anybody searches.

use papan_rules::Player;

use crate::lines::{Cell, CellSet};

/// Somebody who knows proofs of positions of one board.
pub trait ProofLookup: Send + Sync {
    /// What is proved of an unfinished position: the stones of both players, and whose turn
    /// it is.
    fn probe(&self, stones: [CellSet; 2], turn: Player) -> Option<ProvedValue>;
}

/// What is proved of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvedValue {
    /// The player to move wins.
    Win {
        /// With this move.
        cell: Cell,
        /// In so many plies at most.
        plies: u32,
    },
    /// The other player wins.
    Loss {
        /// In so many plies at most.
        plies: u32,
    },
    /// The player to move at least draws.
    AtLeastDraw {
        /// With each of these moves.
        cells: CellSet,
        /// Whether the other player at least draws, too.
        exact: bool,
    },
}
