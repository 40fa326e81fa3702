//! JSON of `papan book show`.

use serde::Serialize;

use super::Score;

/// A position of a book of openings.
#[derive(Clone, Debug, Serialize)]
pub struct Book {
    /// The moves that lead there.
    pub line: Vec<String>,
    /// The position.
    pub position: String,
    /// The name of the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Positions in the book.
    pub positions: usize,
    /// Those of them that the player's own games made.
    pub own_positions: usize,
    /// The moves of the position, the best first; empty if the position is not in the book.
    pub moves: Vec<BookMove>,
}

/// A book move.
#[derive(Clone, Debug, Serialize)]
pub struct BookMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score for its player.
    #[serde(flatten)]
    pub score: Score,
    /// Whether the book continues after it.
    pub goes_on: bool,
    /// The name of the resulting opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
}
