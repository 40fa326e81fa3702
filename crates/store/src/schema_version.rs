//! Kind and version of the schema in a database.

use crate::StoreError;

/// The schema found in a database.
pub(crate) enum SchemaVersion {
    Ours,
    Foreign,
    Newer(i64),
}

impl SchemaVersion {
    /// Accepts a schema of papan with at most `known` migrations; `name` is the database's.
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
