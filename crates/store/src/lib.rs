//! Durable storage for games and analyses.
//!
//! A [`GameStore`] stores games as event logs: a header, two seats, and events whose versions have
//! no gaps. The encoding of an event is the server's; the store sees text. [`SqliteGames`] uses a
//! SQLite file, for one server; [`PostgresGames`] uses PostgreSQL, for any number of servers. Both
//! acknowledge a write only when it is on disk.
//!
//! ```
//! use papan_store::{GameStore, NewGame, SqliteGames, Standing, StoredEvent};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir()?;
//! let games = SqliteGames::open(&folder.path().join("games.sqlite")).await?;
//! let game = NewGame::new("a-game", "tictactoe", ["human".into(), "greedy".into()]);
//! games.create(game).await?;
//! let event = StoredEvent::new(1, "anything");
//! games.append("a-game", event, Standing::default()).await?;
//! assert_eq!(games.load("a-game").await?.unwrap().events.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod address;
mod copy;
mod error;
mod game;
// The files below `tables/` are compiled twice, once for each database: the SQL text is the same
// and only the connection type differs. Code generic over `sqlx::Database` would have to repeat the
// bounds of every bound and decoded type at every function.
#[expect(
    clippy::duplicate_mod,
    reason = "one wording of SQL, compiled for each database"
)]
mod postgres;
mod schema_version;
#[expect(
    clippy::duplicate_mod,
    reason = "one wording of SQL, compiled for each database"
)]
mod sqlite;
mod tables;

use std::future::Future;
use std::pin::Pin;

pub use address::Address;
pub use copy::{CopiedTable, CopyProgress, copy};
pub use error::StoreError;
pub use game::{
    Digest, GameSummary, Invitation, Joining, NewGame, News, Run, Standing, StoredEvent,
    StoredGame, StoredStudy,
};
pub use postgres::PostgresGames;
pub use sqlite::SqliteGames;

/// A future result of a store.
pub type StoreAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The outcome of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The event is on disk.
    Done,
    /// Another event has that version or that key.
    Stale,
}

/// The outcome of joining a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// The seat is taken, and that is on disk.
    Done,
    /// Another event has that version.
    Stale,
    /// There is no such invitation, or it has been used.
    Spent,
}

/// Stores games. Every acknowledged write survives the end of the process.
pub trait GameStore: Send + Sync + 'static {
    /// Stores a new game.
    fn create(&self, game: NewGame) -> StoreAnswer<'_, ()>;
    /// Appends an event; `standing` is the status after it.
    fn append<'a>(
        &'a self,
        game: &'a str,
        event: StoredEvent,
        standing: Standing,
    ) -> StoreAnswer<'a, Appended>;
    /// Exchanges an invitation for a seat.
    fn join<'a>(&'a self, game: &'a str, joining: Joining) -> StoreAnswer<'a, Joined>;
    /// Returns a game with its events.
    fn load<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, Option<StoredGame>>;
    /// Returns the current versions of these games, without deleted ones.
    fn versions<'a>(&'a self, games: &'a [String]) -> StoreAnswer<'a, Vec<(String, u64)>>;
    /// Returns an invitation.
    fn invitation(&self, digest: Digest) -> StoreAnswer<'_, Option<Invitation>>;
    /// Returns the games of a visitor: unfinished ones first, then the newest, at most `most` after
    /// the first `skip`.
    fn games_of(&self, visitor: Digest, most: u32, skip: u32) -> StoreAnswer<'_, Vec<GameSummary>>;
    /// Returns the visitor who holds a seat.
    fn visitor_at<'a>(&'a self, game: &'a str, player: usize) -> StoreAnswer<'a, Option<Digest>>;
    /// Deletes a game; returns whether it existed.
    fn delete_game<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, bool>;
    /// Deletes all data of a visitor; returns the ids of the games.
    fn delete_visitor(&self, visitor: Digest) -> StoreAnswer<'_, Vec<String>>;
    /// Deletes a name from every game; returns the ids of the games.
    fn delete_name<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, Vec<String>>;
    /// Deletes unfinished games without events since `before`, and runs that ended before it;
    /// returns the ids of the games.
    fn expire(&self, before: i64) -> StoreAnswer<'_, Vec<String>>;
    /// Stores the state of an analysis, replacing the previous one.
    fn keep_study(&self, study: StoredStudy) -> StoreAnswer<'_, ()>;
    /// Returns the state of an analysis.
    fn study<'a>(&'a self, subject: &'a str) -> StoreAnswer<'a, Option<StoredStudy>>;
    /// Deletes analyses without updates since `before`, and the oldest beyond `most`, but neither the
    /// data of visitors nor the ratings of puzzles; returns how many.
    fn forget_studies(&self, before: i64, most: u32) -> StoreAnswer<'_, u64>;
    /// Records a heartbeat: the server was up from `run.began_at` to `run.alive_at`.
    fn beat(&self, run: Run) -> StoreAnswer<'_, ()>;
    /// Returns the periods during which the server was up, oldest first.
    fn runs(&self) -> StoreAnswer<'_, Vec<Run>>;
    /// Acquires or renews a lease for `seconds`; returns whether this server holds it.
    fn lease<'a>(&'a self, name: &'a str, seconds: u32) -> StoreAnswer<'a, bool>;
    /// Releases a lease.
    fn end_lease<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, ()>;
    /// Returns whether other servers may use the same database.
    fn is_shared(&self) -> bool;
    /// Sends a message to the other servers.
    fn say<'a>(&'a self, words: &'a str) -> StoreAnswer<'a, ()>;
    /// Subscribes to notifications of other servers; `None` where there can be none.
    fn news(&self) -> Option<tokio::sync::mpsc::Receiver<News>>;
    /// Returns an error unless the store is readable and the last write succeeded.
    fn check(&self) -> StoreAnswer<'_, ()>;
    /// Closes the store after all pending writes.
    fn close(&self) -> StoreAnswer<'_, ()>;
}
