//! What is kept.
//!
//! A [`GameStore`] keeps games that people play through the server: each a
//! header, two seats and a list of events whose versions leave no gap. What an
//! event says is the server's business; the store sees text. [`SqliteGames`]
//! keeps them in a SQLite file, and answers a write only when it is on the disk.
//!
//! ```
//! use papan_store::{GameStore, NewGame, SqliteGames, StoredEvent};
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

mod games;

pub use games::{
    Appended, Digest, GameStore, Invitation, Joined, Joining, NewGame, Run, SqliteGames,
    StoreAnswer, StoreError, StoredEvent, StoredGame,
};
