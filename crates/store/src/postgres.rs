//! Games in PostgreSQL, which several servers share: each has one task that writes,
//! in groups, and several connections that read; what one writes the others hear of.

mod append;
#[path = "tables/games.rs"]
mod games;
mod lease;
mod news;
#[path = "tables/parts.rs"]
mod parts;
mod reach;
#[path = "tables/rows.rs"]
mod rows;
mod schema;
#[path = "tables/statements.rs"]
mod statements;
mod transactions;

/// What the shared words of SQL are spoken through here.
mod dialect {
    pub(super) use super::PostgresGames as Games;
    pub(super) use sqlx::PgConnection as Connection;
    pub(super) use sqlx::postgres::{PgPool as Pool, PgRow as Row};
}

use sqlx::postgres::{PgPool, PgPoolOptions};

use crate::tables::writer::Writer;
use crate::{Queue, StoreError};
pub(crate) use reach::{PATIENCE, Reach};
pub(crate) use schema::open as open_schema;
use transactions::SharedTransactions;

/// Connections that read beside the one that writes.
const READERS: u32 = 8;

/// Games in PostgreSQL.
#[derive(Debug)]
pub struct PostgresGames {
    name: String,
    reach: Reach,
    readers: PgPool,
    writer: Writer,
    /// What this server is called among those that share the database.
    server: String,
}

impl PostgresGames {
    /// Reaches the database, such as `postgres://papan@db.example/papan`, makes what
    /// is missing in its schema `papan`, and brings that to the newest version. Any
    /// number of servers may do so at the same time.
    ///
    /// # Errors
    /// When the address cannot be read, the database cannot be reached, or its
    /// schema `papan` is another program's or a later version's.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let reach = Reach::parse(url)?;
        let connection = schema::open(&reach).await?;
        let readers = PgPoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(PATIENCE)
            .connect_lazy_with(reach.options());
        let server = news::server_name();
        Ok(Self {
            name: reach.name().into(),
            readers,
            writer: Writer::start(SharedTransactions::new(&reach, &server, connection)),
            reach,
            server,
        })
    }

    const SHARED: bool = true;

    fn own_queue(&self) -> Option<Queue> {
        Some(Queue::over(self.reach.clone(), self.readers.clone()))
    }

    fn let_go(&self) {}
}
