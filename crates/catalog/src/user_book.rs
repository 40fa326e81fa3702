//! The user's opening book, learned from their own games, and its merge with the bundled book.

use std::path::PathBuf;
use std::sync::Arc;

use papan_othello::Book;

use crate::{Unplayable, dirs};

/// Returns the path of the user's book: `othello.book` in the [data directory](dirs::data_dir).
/// `None` if there is no such directory.
#[must_use]
pub fn path() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join("othello.book"))
}

/// Reads the user's book; an empty one if the file does not exist.
///
/// # Errors
/// When the file cannot be read or parsed.
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

/// Reads the user's book and adds the bundled one. The user's entries take precedence.
///
/// # Errors
/// When the user's book cannot be read or parsed.
pub fn with_bundled() -> Result<Arc<Book>, Unplayable> {
    let mut book = read()?;
    if book.is_empty() {
        return Ok(Book::shipped());
    }
    book.extend(&Book::shipped());
    Ok(Arc::new(book))
}
