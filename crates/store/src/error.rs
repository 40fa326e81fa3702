//! Why something cannot be kept or found again.

/// Why a store did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database said no, or holds what cannot be.
    #[error("{path}: {what}")]
    Database {
        /// The file.
        path: String,
        /// What it said.
        what: String,
    },
    /// The database cannot be reached now; it may come back.
    #[error("{path} cannot be reached: {what}")]
    Away {
        /// The database.
        path: String,
        /// Why not.
        what: String,
    },
    /// Another server has the file.
    #[error("{path} is in use by another papan serve; end it, or give this one another --data")]
    InUse {
        /// The file.
        path: String,
    },
    /// The file belongs to another program.
    #[error("{path} is a database, but what it holds is not papan's games")]
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
    /// The target of a copy holds something else.
    #[error(
        "{path} is not empty, and its {table} are not the beginning of this copy; give an empty database"
    )]
    NotEmpty {
        /// The target.
        path: String,
        /// The first table that differs.
        table: String,
    },
    /// Somebody wrote while a copy was made.
    #[error("{path}: the {table} changed while they were copied; end its servers and copy again")]
    Differs {
        /// The source.
        path: String,
        /// The table.
        table: String,
    },
    /// This is no address of a database.
    #[error("a database is sqlite:FILE or postgres://USER@HOST/NAME, not {text}")]
    Address {
        /// What was given.
        text: String,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// What the database said of a file, once and without the names of layers.
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

/// Why the database is not there, when that is what an error says.
fn away(error: &sqlx::Error) -> Option<String> {
    match error {
        // A file's errors are not of this kind: SQLite reports them as its own.
        sqlx::Error::Io(said) => Some(said.to_string()),
        sqlx::Error::Tls(said) => Some(said.to_string()),
        sqlx::Error::PoolTimedOut => Some("it does not answer".into()),
        sqlx::Error::PoolClosed => Some("the connections are closed".into()),
        sqlx::Error::Protocol(said) => Some(said.clone()),
        sqlx::Error::Database(said) => {
            // Connection exceptions, and a server that starts, ends or has no room.
            let code = said.code()?;
            let gone = code.starts_with("08") || code.starts_with("57P") || code == "53300";
            gone.then(|| said.message().to_owned())
        }
        _ => None,
    }
}
