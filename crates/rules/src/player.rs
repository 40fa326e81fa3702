//! Who plays, and how a game ends.

use std::fmt;

/// One of the two players. X/O and black/white are only how a board is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player who makes the first move of the game.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The player on the other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second.
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

/// How a finished game ended: a fact, unlike a score, which is a belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Nobody did.
    Draw,
}

impl Outcome {
    /// +1, 0 or -1 as `player` sees it.
    #[must_use]
    pub fn value_for(self, player: Player) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Win(winner) if winner == player => 1,
            Self::Win(_) => -1,
        }
    }

    /// Who won, if anybody.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Win(player) => Some(player),
            Self::Draw => None,
        }
    }
}
