//! A position of an m,n,k-game as two bitboards.

use std::hash::{Hash, Hasher};

use crate::{Bits, Player};

/// A position of a [`Grid`](super::Grid). The number of pieces determines the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridPosition<B> {
    pub(super) stones: [B; 2],
    pub(super) plies: u32,
    /// Whether the last move completed a winning line.
    pub(super) won: bool,
}

/// Hashes the stones, which determine the rest.
impl<B: Bits> Hash for GridPosition<B> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stones[0].hash(state);
        self.stones[1].hash(state);
    }
}

impl<B: Bits> GridPosition<B> {
    /// Returns the cells that a player holds.
    #[inline]
    #[must_use]
    pub fn stones(&self, player: Player) -> B {
        self.stones[player.index()]
    }

    /// Returns the occupied cells.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> B {
        self.stones[0] | self.stones[1]
    }

    /// Returns the number of moves made.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> usize {
        self.plies as usize
    }

    #[inline]
    pub(super) fn turn(&self) -> Player {
        if self.plies.is_multiple_of(2) {
            Player::First
        } else {
            Player::Second
        }
    }
}
