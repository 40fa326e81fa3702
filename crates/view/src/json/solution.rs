//! What `papan solve` found.

use serde::Serialize;

use super::{CertificateClaim, Score};

/// What is known of the replies to a move.
#[derive(Clone, Debug, Serialize)]
pub struct Replies {
    /// The move.
    pub opening: String,
    /// The replies that lose.
    pub closed: Vec<String>,
    /// Those that are not known to.
    pub open: Vec<String>,
}

/// The exact value of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
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
    /// What was established, where a value rests on proofs, or is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub established: Option<Vec<CertificateClaim>>,
    /// Where the value is not known, which replies to the most promising move are closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies: Option<Replies>,
    /// The file that the proofs were written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}
