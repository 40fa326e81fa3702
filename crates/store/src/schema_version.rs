//! What is found in a database before it is used.

use crate::StoreError;

/// What kind of schema was found.
pub(crate) enum SchemaVersion {
    Ours,
    Foreign,
    Newer(i64),
}

impl SchemaVersion {
    /// Goes on with a schema that is ours, of at most so many migrations; `name` is the
    /// database's.
    pub(crate) fn accept(self, name: &str, known: usize) -> Result<(), StoreError> {
        let path = name.to_owned();
        match self {
            Self::Ours => Ok(()),
            Self::Foreign => Err(StoreError::Foreign { path }),
            Self::Newer(found) => Err(StoreError::Newer {
                path,
                found,
                known: known as i64,
            }),
        }
    }
}
