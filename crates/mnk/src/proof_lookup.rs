//! Lookup of precomputed proofs, the counterpart of an endgame tablebase probe.

use papan_rules::Player;
use papan_strategies::StopToken;

use crate::lines::{Cell, CellSet};

/// A source of proved values for positions of one board.
pub trait ProofLookup: Send + Sync {
    /// Reads what [`Self::probe`] needs, which may take a second, unless a stop is requested first.
    /// Returns whether it is read.
    fn load(&self, _stop: &StopToken) -> bool {
        true
    }

    /// Returns the proved value of an unfinished position, given the stones of both players and the
    /// player to move.
    fn probe(&self, stones: [CellSet; 2], turn: Player) -> Option<ProvedValue>;
}

/// The proved value of a position, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvedValue {
    /// The player to move wins.
    Win {
        /// A winning move.
        cell: Cell,
        /// Upper bound on the plies to the win.
        plies: u32,
    },
    /// The player to move loses.
    Loss {
        /// Upper bound on the plies to the loss.
        plies: u32,
    },
    /// The player to move at least draws.
    AtLeastDraw {
        /// The moves that keep the draw.
        cells: CellSet,
        /// Whether the opponent at least draws as well, which makes the value exactly a draw.
        exact: bool,
    },
}
