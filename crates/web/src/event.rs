//! What can happen in a game. Events are stored as JSON and never change.

use papan_rules::Player;
use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// A player in JSON.
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

/// One event of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// Somebody took the free seat.
    Joined {
        /// Which seat.
        by: Side,
    },
    /// A move was made.
    Moved {
        /// By whom.
        by: Side,
        /// The move, in the game's notation.
        #[serde(rename = "move")]
        mv: String,
        /// Milliseconds that it cost on the clock.
        #[serde(default, skip_serializing_if = "is_zero")]
        charged: u64,
    },
    /// A player asks the other to let moves be taken back.
    AskedBack {
        /// Who asks.
        by: Side,
        /// How many moves would be left.
        to: usize,
    },
    /// The other said no.
    Declined {
        /// Who said no.
        by: Side,
    },
    /// Moves were taken back.
    TakenBack {
        /// Who gets them back.
        by: Side,
        /// How many moves are left.
        to: usize,
    },
    /// A player gave the game up.
    Resigned {
        /// Who.
        by: Side,
    },
    /// A player's time ran out.
    TimedOut {
        /// Whose.
        by: Side,
    },
    /// A strategy has no answer.
    GaveUp {
        /// Which.
        by: Side,
        /// Why.
        reason: Fault,
    },
    /// A player would like to play again with the seats swapped.
    RematchOffered {
        /// Who.
        by: Side,
    },
    /// The next game has begun.
    RematchStarted {
        /// Its address.
        game: String,
    },
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
