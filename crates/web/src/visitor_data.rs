//! Data of a visitor that survives the session: results with puzzles, saved studies.
//!
//! It is stored under the digest of the visitor's secret, as JSON, until the operator deletes it.

use papan_store::{Digest, GameStore, StoredStudy};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::http::rejection::Rejection;
use crate::wall_clock::WallClock;

/// Prefix of subjects that do not expire; the store knows it.
const PREFIX: &str = "visitor";

/// A kind of data.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DataKind {
    /// Results with puzzles.
    Puzzles,
    /// Saved studies.
    Studies,
}

fn subject(visitor: &Digest, kind: DataKind) -> String {
    let visitor: String = visitor.iter().map(|byte| format!("{byte:02x}")).collect();
    let kind = match kind {
        DataKind::Puzzles => "puzzles",
        DataKind::Studies => "studies",
    };
    format!("{PREFIX} {visitor} {kind}")
}

/// Reads a visitor's data; the default if there is none.
///
/// # Errors
/// If the store fails.
pub(crate) async fn read<T: DeserializeOwned + Default>(
    store: &dyn GameStore,
    visitor: &Digest,
    kind: DataKind,
) -> Result<T, Rejection> {
    let stored = store.study(&subject(visitor, kind)).await?;
    let data = stored.and_then(|stored| serde_json::from_str(&stored.body).ok());
    Ok(data.unwrap_or_default())
}

/// Returns whether a visitor has games or data.
///
/// # Errors
/// If the store fails.
pub(crate) async fn is_known(store: &dyn GameStore, visitor: &Digest) -> Result<bool, Rejection> {
    if !store.games_of(*visitor, 1, 0).await?.is_empty() {
        return Ok(true);
    }
    for kind in [DataKind::Puzzles, DataKind::Studies] {
        if store.study(&subject(visitor, kind)).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Replaces a visitor's data.
///
/// # Errors
/// If the store fails.
pub(crate) async fn write<T: Serialize>(
    store: &dyn GameStore,
    clock: &dyn WallClock,
    visitor: &Digest,
    kind: DataKind,
    data: &T,
) -> Result<(), Rejection> {
    let study = StoredStudy {
        subject: subject(visitor, kind),
        body: serde_json::to_string(data).map_err(|_| Rejection::Internal)?,
        at: clock.unix_millis(),
    };
    Ok(store.keep_study(study).await?)
}
