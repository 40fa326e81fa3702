//! Games and what belongs to them, as they are kept.

/// A digest of a secret; the secret itself is never stored.
pub type Digest = [u8; 32];

/// A game before its first event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// Its address.
    pub id: String,
    /// The name of the rules in the catalog.
    pub rules: String,
    /// The position that play starts from, if it is not the game's own.
    pub start: Option<String>,
    /// Who plays, first and second.
    pub players: [String; 2],
    /// Milliseconds for each player, and what every move adds.
    pub clock: Option<(u64, u64)>,
    /// What the digests of the holders' secrets are salted with.
    pub salt: String,
    /// Who holds the seats.
    pub holders: [Option<Digest>; 2],
    /// Who the holders are across their games, so that they find these again.
    pub visitors: [Option<Digest>; 2],
    /// What the holders call themselves.
    pub names: [Option<String>; 2],
    /// Whether anybody may find it: to take its vacant seat, or to watch.
    pub listed: bool,
    /// A seat that is free for whoever brings the secret of this digest.
    pub invitation: Option<(usize, Digest)>,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
}

impl NewGame {
    /// A game without clock, holders or invitation.
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

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its place in the game's history, counted from 1 without gaps.
    pub version: u64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What happened, in the server's own words.
    pub body: String,
    /// What the client called the request that caused it.
    pub key: Option<String>,
}

impl StoredEvent {
    /// An event without a time or a key.
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

/// How a game stands, for lists of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is over.
    pub finished: bool,
    /// Whose turn it is, 0 or 1, while it goes on and both are there.
    pub turn: Option<usize>,
    /// How it ended, in the server's own words.
    pub result: Option<String>,
}

/// A game in a list of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Its address.
    pub id: String,
    /// The name of the rules in the catalog.
    pub rules: String,
    /// Who plays, first and second.
    pub players: [String; 2],
    /// What the people among them call themselves.
    pub names: [Option<String>; 2],
    /// The seats of the visitor whose list it is.
    pub seats: [bool; 2],
    /// How it stands.
    pub standing: Standing,
    /// Whether a seat is vacant.
    pub vacant: bool,
    /// When something last happened in it, in milliseconds since 1970.
    pub changed_at: i64,
}

/// A game with everything that happened in it. Its `invitation` is the one still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// How it began, with today's holders.
    pub game: NewGame,
    /// What happened, first to last.
    pub events: Vec<StoredEvent>,
}

/// An invitation to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The game.
    pub game: String,
    /// Which seat, 0 or 1.
    pub player: usize,
    /// Whether somebody has taken it.
    pub spent: bool,
}

/// The exchange of an invitation for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joining {
    /// The invitation's digest.
    pub invitation: Digest,
    /// Who will hold the seat.
    pub holder: Digest,
    /// Who they are across their games.
    pub visitor: Digest,
    /// What they call themselves.
    pub name: Option<String>,
    /// The event that tells the others.
    pub event: StoredEvent,
    /// How the game stands then.
    pub standing: Standing,
}

/// What another server did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Something happened in a game.
    Changed {
        /// The game.
        game: String,
        /// The version that it has now, at least.
        version: u64,
    },
    /// There is a new game that anybody may find.
    Opened {
        /// The game.
        game: String,
    },
    /// A game was deleted, or what is kept of its players.
    Gone {
        /// The game.
        game: String,
    },
    /// A server said something.
    Said {
        /// Which one, by a name of its own.
        by: String,
        /// What, line by line.
        words: String,
    },
    /// Anything may have happened: the line was broken, or is new.
    Missed,
}

/// A time during which the server was up, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// From when.
    pub began_at: i64,
    /// Until when at least.
    pub alive_at: i64,
}

/// Long work that a visitor asked for, and what is known so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredStudy {
    /// What it is about; asking twice is asking once.
    pub subject: String,
    /// What is known, in the server's own words.
    pub body: String,
    /// When it was last worked on, in milliseconds since 1970.
    pub at: i64,
}
