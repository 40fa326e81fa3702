//! Event sourcing: the events of a game, stored as JSON and never changed.
//!
//! Names and fields are a storage format: rename them only with a serde alias.
//!
//! Reference: <https://martinfowler.com/eaaDev/EventSourcing.html>

use papan_catalog::AnyGame;
use papan_rules::{Move, NotationError};
use serde::{Deserialize, Serialize};

use crate::analysis::strategy_failure::StrategyFailure;
use crate::side::Side;

/// A canned chat message.
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

    /// Returns its name in requests, which is also the suffix of its message key
    /// (`web-greet-…`).
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

/// A move as it is stored, with the parsed move once it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) struct WrittenMove {
    text: String,
    mv: Option<Move>,
}

impl WrittenMove {
    /// Creates it from a move.
    pub(crate) fn new(game: &AnyGame, mv: Move) -> Self {
        Self {
            text: game.format_move(mv),
            mv: Some(mv),
        }
    }

    /// Returns the move.
    ///
    /// # Errors
    /// If the text is not a move of the game.
    pub(crate) fn parse(&self, game: &AnyGame) -> Result<Move, NotationError> {
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

/// An event of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Event {
    /// A client took the vacant seat.
    Joined {
        /// The seat.
        by: Side,
    },
    /// A move was made.
    Moved {
        /// The player.
        by: Side,
        /// The move in the game's notation.
        #[serde(rename = "move")]
        mv: WrittenMove,
        /// Milliseconds charged to the player's clock.
        #[serde(default, skip_serializing_if = "is_zero")]
        charged: u64,
    },
    /// The game begins with a swap opening.
    OpeningRule {
        /// `swap` or `swap2`.
        rule: String,
    },
    /// A player made a choice of the swap opening, after which the players may exchange seats.
    Chose {
        /// The player, by the seat before the choice.
        by: Side,
        /// `black`, `white` or `two`.
        choice: String,
        /// Milliseconds charged to the player's clock.
        #[serde(default, skip_serializing_if = "is_zero")]
        charged: u64,
    },
    /// A player asks to take moves back.
    AskedBack {
        /// The asking player.
        by: Side,
        /// Number of moves that would remain.
        to: usize,
    },
    /// The opponent declined to take moves back.
    Declined {
        /// The declining player.
        by: Side,
    },
    /// Moves were taken back.
    TakenBack {
        /// The player who asked.
        by: Side,
        /// Number of moves that remain.
        to: usize,
    },
    /// A player offers a draw.
    DrawOffered {
        /// The offering player.
        by: Side,
    },
    /// The opponent declined the draw.
    DrawDeclined {
        /// The declining player.
        by: Side,
    },
    /// The opponent accepted the draw.
    DrawAgreed {
        /// The accepting player.
        by: Side,
    },
    /// A player sent a canned message.
    Greeted {
        /// The sender.
        by: Side,
        /// The message.
        greeting: Greeting,
    },
    /// A player resigned.
    Resigned {
        /// The loser.
        by: Side,
    },
    /// A player's time ran out.
    TimedOut {
        /// The loser.
        by: Side,
    },
    /// A strategy returned no move and forfeits.
    GaveUp {
        /// The loser.
        by: Side,
        /// The reason.
        reason: StrategyFailure,
    },
    /// A player offers a rematch with swapped seats.
    RematchOffered {
        /// The offering player.
        by: Side,
    },
    /// The opponent declined the rematch.
    RematchDeclined {
        /// The declining player.
        by: Side,
    },
    /// The rematch was created.
    RematchStarted {
        /// Id of the new game.
        game: String,
    },
}

impl Event {
    /// Returns whether it changes the position, the players or the result.
    pub(crate) fn changes_position(&self) -> bool {
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

    /// Serializes it for the database.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("events serialize to JSON")
    }

    /// Deserializes it from the database.
    ///
    /// # Errors
    /// If the text is not an event.
    pub(crate) fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
