//! Games in PostgreSQL, shared by several servers.
//!
//! Each server has one task that writes, with group commit, and several connections that read.
//! Servers notify each other of their writes.

mod append;
mod connect;
#[path = "tables/copy_rows.rs"]
mod copy_rows;
#[path = "tables/games.rs"]
mod games;
mod lease;
mod notifications;
#[path = "tables/rows.rs"]
mod rows;
mod schema;
#[path = "tables/statements.rs"]
mod statements;
mod transactions;

/// Types of the SQL code that is compiled for both databases.
mod dialect {
    pub(super) use super::PostgresGames as Games;
    pub(super) use sqlx::PgConnection as Connection;
    pub(super) use sqlx::postgres::{PgPool as Pool, PgRow as Row};
}

use sqlx::postgres::{PgPool, PgPoolOptions};

use crate::tables::writer::Writer;
use crate::{Queue, StoreError};
pub(crate) use connect::{CONNECT_TIMEOUT, ConnectOptions};
pub(crate) use schema::open as open_schema;
use transactions::SharedTransactions;

/// Number of reading connections.
const READERS: u32 = 8;

/// Games in PostgreSQL.
#[derive(Debug)]
pub struct PostgresGames {
    name: String,
    options: ConnectOptions,
    readers: PgPool,
    writer: Writer,
    /// Name of this server.
    server: String,
}

impl PostgresGames {
    /// Connects to a database such as `postgres://papan@db.example/papan`, creates the schema
    /// `papan` if it is missing, and migrates it to the newest version. Any number of servers may
    /// do so at the same time.
    ///
    /// # Errors
    /// When the address is invalid, the database is unreachable, or its schema `papan` belongs to
    /// another program or a later version.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let options = ConnectOptions::parse(url)?;
        let connection = schema::open(&options).await?;
        let readers = PgPoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(CONNECT_TIMEOUT)
            .connect_lazy_with(options.options());
        let server = notifications::server_name();
        Ok(Self {
            name: options.name().into(),
            readers,
            writer: Writer::start(SharedTransactions::new(&options, &server, connection)),
            options,
            server,
        })
    }

    const SHARED: bool = true;

    fn own_queue(&self) -> Option<Queue> {
        Some(Queue::over(self.options.clone(), self.readers.clone()))
    }

    fn let_go(&self) {}
}
