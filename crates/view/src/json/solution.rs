//! JSON of `papan solve`.

use serde::Serialize;

use super::{CertificateClaim, Score};

/// Progress on the replies to a move.
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
    /// The score.
    #[serde(flatten)]
    pub score: Score,
    /// A best move; `null` if the game is over.
    pub best: Option<String>,
    /// Best play, from that move on.
    pub pv: Vec<String>,
    /// How many nodes it took.
    pub nodes: u64,
    /// How long.
    pub seconds: f64,
    /// The established facts, if the value rests on proofs or is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub established: Option<Vec<CertificateClaim>>,
    /// If the value is not known, the refuted replies to the most promising move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies: Option<Replies>,
    /// The file that the proofs were written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}
