//! Errors of stores.

/// An error of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database reported an error, or holds invalid data.
    #[error("{path}: {what}")]
    Database {
        /// The file.
        path: String,
        /// The reason.
        what: String,
    },
    /// The database cannot be reached now; the error may be temporary.
    #[error("{path} cannot be reached: {what}")]
    Away {
        /// The database.
        path: String,
        /// The reason.
        what: String,
    },
    /// Another server uses the file.
    #[error("{path} is in use by another papan serve; end it, or give this one another --data")]
    InUse {
        /// The file.
        path: String,
    },
    /// The database belongs to another program.
    #[error("{path} is a database, but what it holds is not papan's games")]
    Foreign {
        /// The file.
        path: String,
    },
    /// The database was written by a later version of papan.
    #[error("{path} has games of version {found}; this papan reads up to version {known}")]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
        /// The newest known version.
        known: i64,
    },
    /// The target of a copy holds other data.
    #[error(
        "{path} is not empty, and its {table} are not the beginning of this copy; give an empty database"
    )]
    NotEmpty {
        /// The target.
        path: String,
        /// The first table that differs.
        table: String,
    },
    /// Another process wrote during a copy.
    #[error("{path}: the {table} changed while they were copied; end its servers and copy again")]
    Differs {
        /// The source.
        path: String,
        /// The table.
        table: String,
    },
    /// Not the address of a database.
    #[error("a database is sqlite:FILE or postgres://USER@HOST/NAME, not {text}")]
    Address {
        /// The text.
        text: String,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Converts an error of the database, without the names of library layers.
    pub(crate) fn database(path: &str, error: &sqlx::Error) -> Self {
        if let Some(what) = away(error) {
            let path = path.into();
            return Self::Away { path, what };
        }
        let what = match error {
            sqlx::Error::Database(said) => said.message().to_owned(),
            sqlx::Error::Io(said) => said.to_string(),
            sqlx::Error::Decode(said) => said.to_string(),
            other => other.to_string(),
        };
        Self::Database {
            path: path.into(),
            what,
        }
    }
}

/// Returns the reason if the error means that the database is unreachable.
fn away(error: &sqlx::Error) -> Option<String> {
    match error {
        // File errors are not of this kind: SQLite reports them as its own.
        sqlx::Error::Io(said) => Some(said.to_string()),
        sqlx::Error::Tls(said) => Some(said.to_string()),
        sqlx::Error::PoolTimedOut => Some("it does not answer".into()),
        sqlx::Error::PoolClosed => Some("the connections are closed".into()),
        sqlx::Error::Protocol(said) => Some(said.clone()),
        sqlx::Error::Database(said) => {
            // Connection exceptions, and a server that starts, stops or has too many connections.
            let code = said.code()?;
            let gone = code.starts_with("08") || code.starts_with("57P") || code == "53300";
            gone.then(|| said.message().to_owned())
        }
        _ => None,
    }
}
