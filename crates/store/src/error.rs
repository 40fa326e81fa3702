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
    /// Another server has the file.
    #[error("{path} is in use by another papan serve; end it, or give this one another --data")]
    InUse {
        /// The file.
        path: String,
    },
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
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// What the database said of a file, once and without the names of layers.
    pub(crate) fn database(path: &str, error: &sqlx::Error) -> Self {
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
