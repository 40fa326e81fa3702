//! Opening book entry.

use serde::Serialize;

use super::Score;

/// A position of an opening book.
#[derive(Clone, Debug, Serialize)]
pub struct Book {
    /// The moves that lead there.
    pub line: Vec<String>,
    /// The position.
    pub position: String,
    /// Name of the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Number of positions in the book.
    pub positions: usize,
    /// Number of positions from the user's own games.
    pub own_positions: usize,
    /// The moves, best first; empty if the position is not in the book.
    pub moves: Vec<BookMove>,
}

/// A book move.
#[derive(Clone, Debug, Serialize)]
pub struct BookMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score for the player who makes it.
    #[serde(flatten)]
    pub score: Score,
    /// Whether the position after it is in the book.
    pub goes_on: bool,
    /// Name of the opening that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
}
