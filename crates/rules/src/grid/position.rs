//! A position of k in a row.

use std::hash::{Hash, Hasher};

use crate::{Bits, Player};

/// A position of a [`Grid`](super::Grid). Who is to move follows from the number of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridPosition<B> {
    pub(super) stones: [B; 2],
    pub(super) plies: u32,
    /// Whether the last move completed a winning line.
    pub(super) won: bool,
}

/// By the stones, from which all else follows.
impl<B: Bits> Hash for GridPosition<B> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stones[0].hash(state);
        self.stones[1].hash(state);
    }
}

impl<B: Bits> GridPosition<B> {
    /// The cells that a player holds.
    #[inline]
    #[must_use]
    pub fn stones(&self, player: Player) -> B {
        self.stones[player.index()]
    }

    /// The cells that anybody holds.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> B {
        self.stones[0] | self.stones[1]
    }

    /// How many moves have been made.
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
