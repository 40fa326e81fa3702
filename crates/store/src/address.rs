//! Database addresses: `sqlite:FILE` or `postgres://USER@HOST/NAME`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use crate::postgres::ConnectOptions;
use crate::{GameStore, PostgresGames, SqliteGames, StoreError};

/// The address of a database: `sqlite:FILE`, or `postgres://USER@HOST/NAME`. A password in it is
/// neither shown nor logged.
///
/// ```
/// use papan_store::Address;
///
/// let address: Address = "postgres://papan:secret@db.example/club".parse()?;
/// assert_eq!(address.to_string(), "postgres://db.example/club");
/// # Ok::<(), papan_store::StoreError>(())
/// ```
#[derive(Clone)]
pub enum Address {
    /// A SQLite file, for one server.
    Sqlite(PathBuf),
    /// A PostgreSQL database, for any number of servers.
    Postgres(String),
}

impl Address {
    /// Opens the store.
    ///
    /// # Errors
    /// When it cannot be reached, or belongs to another program or a later version.
    pub async fn open(&self) -> Result<Arc<dyn GameStore>, StoreError> {
        Ok(match self {
            Self::Sqlite(path) => Arc::new(SqliteGames::open(path).await?),
            Self::Postgres(url) => Arc::new(PostgresGames::open(url).await?),
        })
    }
}

impl FromStr for Address {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        if let Some(file) = text.strip_prefix("sqlite:") {
            let file = file.strip_prefix("//").unwrap_or(file);
            return Ok(Self::Sqlite(PathBuf::from(file)));
        }
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            ConnectOptions::parse(text)?;
            return Ok(Self::Postgres(text.into()));
        }
        Err(StoreError::Address { text: text.into() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => match ConnectOptions::parse(url) {
                Ok(options) => f.write_str(options.name()),
                Err(_) => f.write_str("postgres:"),
            },
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
