//! A player as JSON and in URLs: `first` or `second`.

use papan_rules::Player;
use serde::{Deserialize, Serialize};

/// A player as it is serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first player.
    First,
    /// The second player.
    Second,
}

impl From<Player> for Side {
    fn from(player: Player) -> Self {
        match player {
            Player::First => Self::First,
            Player::Second => Self::Second,
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}
