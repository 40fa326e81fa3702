//! What a book of openings says of a position.

use serde::Serialize;

use super::Score;

/// A position of a book of openings.
#[derive(Clone, Debug, Serialize)]
pub struct Book {
    /// The moves that lead there.
    pub line: Vec<String>,
    /// The position.
    pub position: String,
    /// What players call the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Positions in the book.
    pub positions: usize,
    /// Those of them that the player's own games made.
    pub own_positions: usize,
    /// Every move of the position, the best first; none where the book does not know it.
    pub moves: Vec<BookMove>,
}

/// What a book says of one move.
#[derive(Clone, Debug, Serialize)]
pub struct BookMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth to the player who makes it.
    #[serde(flatten)]
    pub score: Score,
    /// Whether the book goes on behind it.
    pub goes_on: bool,
    /// What players call what it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
}
