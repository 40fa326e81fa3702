//! Players and outcomes.

use std::fmt;

/// One of the two players. X/O and black/white are only how a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player who makes the first move of the game.
    First,
    /// The other player.
    Second,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 0 for the first player, 1 for the second.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// How a finished game ended: a fact, unlike a score, which is an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// A draw.
    Draw,
}

impl Outcome {
    /// Returns +1, 0 or -1 for `player`.
    #[must_use]
    pub fn value_for(self, player: Player) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Win(winner) if winner == player => 1,
            Self::Win(_) => -1,
        }
    }

    /// Returns the winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Win(player) => Some(player),
            Self::Draw => None,
        }
    }
}
