//! Output of `papan solve`.

use papan_catalog::AnyLine;
use serde::Serialize;

use super::{CertificateClaim, Score};

/// The replies to a move.
#[derive(Clone, Debug, Serialize)]
pub struct Replies {
    /// The move.
    pub opening: String,
    /// The replies that are proved to lose.
    pub closed: Vec<String>,
    /// The replies that are undecided.
    pub open: Vec<String>,
}

/// The result of solving a position.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
    /// The game's name.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// Its score.
    #[serde(flatten)]
    pub score: Score,
    /// A best move; `None` if the game is over.
    pub best: Option<String>,
    /// Principal variation.
    pub pv: Vec<String>,
    /// Nodes searched.
    pub nodes: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The proved claims, where the value rests on proofs or is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub established: Option<Vec<CertificateClaim>>,
    /// The replies to the most promising move, where the value is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies: Option<Replies>,
    /// The certificate file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl Solution {
    /// Creates the output for a position. The time, claims and files of a search are its caller's.
    #[must_use]
    pub fn new(
        line: &dyn AnyLine,
        score: Option<papan_strategies::Score>,
        pv: &[papan_rules::Move],
        nodes: u64,
    ) -> Self {
        let game = line.game();
        let pv = super::moves(&game, pv);
        Self {
            game: game.name(),
            position: line.position_text(),
            score: score.into(),
            best: pv.first().cloned(),
            pv,
            nodes,
            seconds: 0.0,
            established: None,
            replies: None,
            certificate: None,
        }
    }
}
