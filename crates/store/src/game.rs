//! Stored games and their events.

/// A digest of a secret; the secret itself is never stored.
pub type Digest = [u8; 32];

/// A game before its first event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The id, which is part of its address.
    pub id: String,
    /// The name of the rules in the catalog.
    pub rules: String,
    /// The start position, if it is not the game's own.
    pub start: Option<String>,
    /// The players, first and second.
    pub players: [String; 2],
    /// Milliseconds for each player, and the increment per move.
    pub clock: Option<(u64, u64)>,
    /// Salt of the digests of the holders' secrets.
    pub salt: String,
    /// Digests of the holders of the seats.
    pub holders: [Option<Digest>; 2],
    /// Digests of the visitors who hold the seats, which are the same in all their games.
    pub visitors: [Option<Digest>; 2],
    /// Names of the holders.
    pub names: [Option<String>; 2],
    /// Whether the game is listed in the lobby.
    pub listed: bool,
    /// The seat that an invitation offers, and the digest of the invitation's secret.
    pub invitation: Option<(usize, Digest)>,
    /// Creation time, in milliseconds since 1970.
    pub created_at: i64,
}

impl NewGame {
    /// Creates a game without clock, holders or invitation.
    #[must_use]
    pub fn new(id: impl Into<String>, rules: impl Into<String>, players: [String; 2]) -> Self {
        Self {
            id: id.into(),
            rules: rules.into(),
            start: None,
            players,
            clock: None,
            salt: String::new(),
            holders: [None; 2],
            visitors: [None; 2],
            names: [None, None],
            listed: false,
            invitation: None,
            created_at: 0,
        }
    }
}

/// An event of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The version of the game after it, counted from 1 without gaps.
    pub version: u64,
    /// Time, in milliseconds since 1970.
    pub at: i64,
    /// The event, in the server's encoding.
    pub body: String,
    /// The idempotency key of the request that caused it.
    pub key: Option<String>,
}

impl StoredEvent {
    /// Creates an event without a time or a key.
    #[must_use]
    pub fn new(version: u64, body: impl Into<String>) -> Self {
        Self {
            version,
            at: 0,
            body: body.into(),
            key: None,
        }
    }
}

/// Status of a game, for lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is over.
    pub finished: bool,
    /// The player to move, 0 or 1, while the game is in progress and both seats are taken.
    pub turn: Option<usize>,
    /// The result, in the server's encoding.
    pub result: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The id.
    pub id: String,
    /// The name of the rules in the catalog.
    pub rules: String,
    /// The players, first and second.
    pub players: [String; 2],
    /// Names of the people among them.
    pub names: [Option<String>; 2],
    /// The seats of the visitor whose list it is.
    pub seats: [bool; 2],
    /// The status.
    pub standing: Standing,
    /// Whether a seat is vacant.
    pub vacant: bool,
    /// Time of the last event, in milliseconds since 1970.
    pub changed_at: i64,
}

/// A game with its events. Its `invitation` is the one still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The game, with its current holders.
    pub game: NewGame,
    /// The events, in order.
    pub events: Vec<StoredEvent>,
}

/// An invitation to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The game.
    pub game: String,
    /// Which seat, 0 or 1.
    pub player: usize,
    /// Whether it has been used.
    pub spent: bool,
}

/// The exchange of an invitation for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joining {
    /// The invitation's digest.
    pub invitation: Digest,
    /// Digest of the new holder.
    pub holder: Digest,
    /// Digest of the visitor.
    pub visitor: Digest,
    /// The visitor's name.
    pub name: Option<String>,
    /// The event that announces it.
    pub event: StoredEvent,
    /// The status after it.
    pub standing: Standing,
}

/// A notification from another server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A game has changed.
    Changed {
        /// The game.
        game: String,
        /// A lower bound of its current version.
        version: u64,
    },
    /// A listed game was created.
    Opened {
        /// The game.
        game: String,
    },
    /// A game, or the data of its players, was deleted.
    Gone {
        /// The game.
        game: String,
    },
    /// A message of another server.
    Said {
        /// The name of the server.
        by: String,
        /// The message, line by line.
        words: String,
    },
    /// Notifications may have been lost: the connection is new or was broken.
    Missed,
}

/// A period during which the server was up, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Start.
    pub began_at: i64,
    /// Last heartbeat.
    pub alive_at: i64,
}

/// A long computation requested by a visitor, with its result so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredStudy {
    /// The subject; a second request for the same subject is the same computation.
    pub subject: String,
    /// The result so far, in the server's encoding.
    pub body: String,
    /// Time of the last update, in milliseconds since 1970.
    pub at: i64,
}
