//! What `papan solve` found.

use serde::Serialize;

use super::Score;

/// The exact value of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The game's name.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// What it is worth.
    #[serde(flatten)]
    pub score: Score,
    /// A best move; none where the game is over.
    pub best: Option<String>,
    /// Best play, from that move on.
    pub pv: Vec<String>,
    /// How many nodes it took.
    pub nodes: u64,
    /// How long.
    pub seconds: f64,
}
