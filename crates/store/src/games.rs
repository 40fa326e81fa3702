//! Games that people play through the server.
//!
//! A [`GameStore`] keeps games: each a header, two seats and a list of events
//! whose versions leave no gap. What an event says is the server's business; the
//! store sees text. [`SqliteGames`] keeps them in a SQLite file, and answers a
//! write only when it is on the disk.
//!
//! ```
//! use papan_store::games::{GameStore, NewGame, SqliteGames, StoredEvent};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir()?;
//! let games = SqliteGames::open(&folder.path().join("games.sqlite")).await?;
//! let game = NewGame::new("a-game", "tictactoe", ["human".into(), "greedy".into()]);
//! games.create(game).await?;
//! games.append("a-game", StoredEvent::new(1, "anything"), false).await?;
//! assert_eq!(games.load("a-game").await?.unwrap().events.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod file;
mod sqlite;
mod writer;

use std::future::Future;
use std::pin::Pin;

pub use sqlite::SqliteGames;

/// A digest of a secret; the secret itself is never stored.
pub type Digest = [u8; 32];

/// What a store answers, some time later.
pub type StoreAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

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
    /// The event that tells the others.
    pub event: StoredEvent,
}

/// What came of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is on the disk.
    Done,
    /// Something else has that version or that key.
    Stale,
}

/// What came of a joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// The seat is taken, and that is on the disk.
    Done,
    /// Something else has that version.
    Stale,
    /// There is no such invitation, or somebody was faster.
    Spent,
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

/// Keeps games. Every write that is answered survives the end of the process.
pub trait GameStore: Send + Sync + 'static {
    /// Keeps a new game.
    fn create(&self, game: NewGame) -> StoreAnswer<'_, ()>;
    /// Adds an event; `finished` says that the game is over with it.
    fn append<'a>(
        &'a self,
        game: &'a str,
        event: StoredEvent,
        finished: bool,
    ) -> StoreAnswer<'a, Appended>;
    /// Exchanges an invitation for a seat.
    fn join<'a>(&'a self, game: &'a str, joining: Joining) -> StoreAnswer<'a, Joined>;
    /// A game with its events.
    fn load<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, Option<StoredGame>>;
    /// An invitation.
    fn invitation(&self, digest: Digest) -> StoreAnswer<'_, Option<Invitation>>;
    /// Forgets unfinished games in which nothing has happened since `before`, and
    /// runs that ended before it; returns the games' addresses.
    fn expire(&self, before: i64) -> StoreAnswer<'_, Vec<String>>;
    /// Keeps what is known of a study, in the place of what was known before.
    fn keep_study(&self, study: StoredStudy) -> StoreAnswer<'_, ()>;
    /// What is known of a study.
    fn study<'a>(&'a self, subject: &'a str) -> StoreAnswer<'a, Option<StoredStudy>>;
    /// Forgets studies that nobody has worked on since `before`, and the oldest of
    /// those that are more than `most`; returns how many.
    fn forget_studies(&self, before: i64, most: u32) -> StoreAnswer<'_, u64>;
    /// Notes that the server has been up from `run.began_at` to `run.alive_at`.
    fn beat(&self, run: Run) -> StoreAnswer<'_, ()>;
    /// When the server was up, oldest first.
    fn runs(&self) -> StoreAnswer<'_, Vec<Run>>;
    /// Whether the store can be read.
    fn check(&self) -> StoreAnswer<'_, ()>;
    /// Ends the store when everything written is on the disk.
    fn close(&self) -> StoreAnswer<'_, ()>;
}

/// Why a store did not answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said no.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The file belongs to another program.
    #[error("{path} is a database, but not one of papan's games")]
    Foreign {
        /// The file.
        path: String,
    },
    /// The file was written by a later papan.
    #[error("{path} has games of version {found}; this papan reads up to version {known}")]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
        /// The newest version that is understood.
        known: i64,
    },
    /// A row that cannot be.
    #[error("game {game}: {what}")]
    Broken {
        /// Which game.
        game: String,
        /// What is wrong with it.
        what: String,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// A group of writes failed together.
    #[error("the write failed: {0}")]
    Group(String),
}
