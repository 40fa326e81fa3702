//! What can happen in a game. Events are stored as JSON and never change.

use papan_catalog::AnyGame;
use papan_rules::{Move, NotationError, Player};
use serde::{Deserialize, Serialize};

use crate::analysis::strategy_failure::StrategyFailure;

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

/// What players can say to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Greeting {
    Hello,
    GoodLuck,
    WellPlayed,
    Thanks,
    Oops,
}

impl Greeting {
    pub(crate) const ALL: [Self; 5] = [
        Self::Hello,
        Self::GoodLuck,
        Self::WellPlayed,
        Self::Thanks,
        Self::Oops,
    ];

    /// Its name in requests; the key of its text has `web-greet-` before it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::GoodLuck => "good-luck",
            Self::WellPlayed => "well-played",
            Self::Thanks => "thanks",
            Self::Oops => "oops",
        }
    }
}

/// A move as it is stored, and as the game numbers it once somebody has read it:
/// what a player sends is read once, what is stored when the game is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) struct WrittenMove {
    text: String,
    mv: Option<Move>,
}

impl WrittenMove {
    /// A move in the game's notation.
    pub(crate) fn new(game: &AnyGame, mv: Move) -> Self {
        Self {
            text: game.format_move(mv),
            mv: Some(mv),
        }
    }

    /// The move itself.
    ///
    /// # Errors
    /// When the text is no move of the game.
    pub(crate) fn read(&self, game: &AnyGame) -> Result<Move, NotationError> {
        self.mv.map_or_else(|| game.parse_move(&self.text), Ok)
    }
}

impl From<String> for WrittenMove {
    fn from(text: String) -> Self {
        Self { text, mv: None }
    }
}

impl From<WrittenMove> for String {
    fn from(written: WrittenMove) -> Self {
        written.text
    }
}

/// One event of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Event {
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
        mv: WrittenMove,
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
    /// A player offers a draw.
    DrawOffered {
        /// Who.
        by: Side,
    },
    /// The other said no.
    DrawDeclined {
        /// Who said no.
        by: Side,
    },
    /// The other said yes, and the game is drawn.
    DrawAgreed {
        /// Who said yes.
        by: Side,
    },
    /// A player says one of the ready-made things.
    Greeted {
        /// Who.
        by: Side,
        /// What.
        greeting: Greeting,
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
        reason: StrategyFailure,
    },
    /// A player would like to play again with the seats swapped.
    RematchOffered {
        /// Who.
        by: Side,
    },
    /// The other said no.
    RematchDeclined {
        /// Who said no.
        by: Side,
    },
    /// The next game has begun.
    RematchStarted {
        /// Its address.
        game: String,
    },
}

impl Event {
    /// Whether the position, the players or the result are others after it.
    pub(crate) fn changes_the_game(&self) -> bool {
        !matches!(
            self,
            Self::AskedBack { .. }
                | Self::Declined { .. }
                | Self::DrawOffered { .. }
                | Self::DrawDeclined { .. }
                | Self::Greeted { .. }
                | Self::RematchOffered { .. }
                | Self::RematchDeclined { .. }
        )
    }

    /// The event in the form in which it is stored.
    pub(crate) fn body(&self) -> String {
        serde_json::to_string(self).expect("plain data becomes JSON")
    }

    /// An event as it was stored.
    ///
    /// # Errors
    /// When the text is no event.
    pub(crate) fn parse(body: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(body)
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
