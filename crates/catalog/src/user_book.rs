//! The book of openings that a player's own games make, beside the one that comes with papan.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use papan_othello::Book;

use crate::Unplayable;

/// Where the player's own book is: `othello.book` in `PAPAN_DATA_DIR`, or in `papan` in the
/// XDG data directory. `None` where there is no such directory.
#[must_use]
pub fn path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    let data = set("PAPAN_DATA_DIR")
        .map(PathBuf::from)
        .or_else(|| set("XDG_DATA_HOME").map(|home| PathBuf::from(home).join("papan")))
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".local/share/papan")))?;
    Some(data.join("othello.book"))
}

/// The player's own book; an empty one where there is none yet.
///
/// # Errors
/// When the file cannot be read, or is no book.
pub fn read() -> Result<Book, Unplayable> {
    let Some(path) = path().filter(|path| path.exists()) else {
        return Ok(Book::default());
    };
    let name = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|cause| Unplayable::Unreadable {
        path: name.clone(),
        cause,
    })?;
    let text = String::from_utf8_lossy(&bytes);
    Book::parse(&text).map_err(|cause| Unplayable::BrokenBook { path: name, cause })
}

/// Both books as one; where they differ, the player's own counts.
///
/// # Errors
/// When the player's own cannot be read, or is no book.
pub fn with_bundled() -> Result<Arc<Book>, Unplayable> {
    let mut own = read()?;
    if own.is_empty() {
        return Ok(Book::shipped());
    }
    own.extend(&Book::shipped());
    Ok(Arc::new(own))
}
