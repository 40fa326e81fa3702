//! What the server keeps, and what survives a fall.
//!
//! A [`GameStore`] keeps games: each a header, two seats and a list of events
//! whose versions leave no gap. What an event says is the server's business; the
//! store sees text. [`SqliteGames`] keeps them in a SQLite file, for one server;
//! [`PostgresGames`] keeps them in PostgreSQL, for as many as there are. Both answer
//! a write only when it is on the disk.
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
mod key;
// One wording of SQL for both: only the connection's type differs.
#[expect(
    clippy::duplicate_mod,
    reason = "one wording of SQL, compiled for each database"
)]
mod postgres;
mod queue;
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
pub use key::Key;
pub use postgres::PostgresGames;
pub use queue::{
    Bell, Claimed, Finish, JobResult, JobStanding, NewJob, Overview, Queue, Undertaking,
    UndertakingStatus, WorkerStatus, reproduced_by,
};
pub use sqlite::SqliteGames;

/// What a store answers, some time later.
pub type StoreAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

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

/// Keeps games. Every write that is answered survives the end of the process.
pub trait GameStore: Send + Sync + 'static {
    /// Keeps a new game.
    fn create(&self, game: NewGame) -> StoreAnswer<'_, ()>;
    /// Adds an event; `standing` says how the game stands after it.
    fn append<'a>(
        &'a self,
        game: &'a str,
        event: StoredEvent,
        standing: Standing,
    ) -> StoreAnswer<'a, Appended>;
    /// Exchanges an invitation for a seat.
    fn join<'a>(&'a self, game: &'a str, joining: Joining) -> StoreAnswer<'a, Joined>;
    /// A game with its events.
    fn load<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, Option<StoredGame>>;
    /// The newest versions of these games, without those that are gone.
    fn versions<'a>(&'a self, games: &'a [String]) -> StoreAnswer<'a, Vec<(String, u64)>>;
    /// An invitation.
    fn invitation(&self, digest: Digest) -> StoreAnswer<'_, Option<Invitation>>;
    /// The games of a visitor: unfinished ones first, then the newest, `most` of them.
    fn games_of(&self, visitor: Digest, most: u32) -> StoreAnswer<'_, Vec<GameSummary>>;
    /// The visitor who holds a seat of a game.
    fn visitor_at<'a>(&'a self, game: &'a str, player: usize) -> StoreAnswer<'a, Option<Digest>>;
    /// Deletes a game; says whether it was there.
    fn delete_game<'a>(&'a self, game: &'a str) -> StoreAnswer<'a, bool>;
    /// Deletes everything of a visitor; returns the addresses of the games.
    fn delete_visitor(&self, visitor: Digest) -> StoreAnswer<'_, Vec<String>>;
    /// Deletes a name from every game; returns the addresses of the games.
    fn delete_name<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, Vec<String>>;
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
    /// Takes or renews what only one server shall do, for so many seconds; says
    /// whether it is this one's.
    fn lease<'a>(&'a self, name: &'a str, seconds: u32) -> StoreAnswer<'a, bool>;
    /// Gives a lease back before it ends by itself.
    fn end_lease<'a>(&'a self, name: &'a str) -> StoreAnswer<'a, ()>;
    /// Whether other servers may write into the same database.
    fn is_shared(&self) -> bool;
    /// Tells the other servers something, in the servers' own words.
    fn say<'a>(&'a self, words: &'a str) -> StoreAnswer<'a, ()>;
    /// What other servers do from now on; nothing where there can be no others.
    fn news(&self) -> Option<tokio::sync::mpsc::Receiver<News>>;
    /// The queue of jobs for workers in the same database, where it has one.
    fn queue(&self) -> Option<Queue>;
    /// Whether the store can be read, and the last write succeeded.
    fn check(&self) -> StoreAnswer<'_, ()>;
    /// Ends the store when everything written is on the disk.
    fn close(&self) -> StoreAnswer<'_, ()>;
}
