//! What `papan prove` and `papan check` found.

use papan_catalog::AnyGame;
use papan_solve as solve;
use serde::Serialize;

use super::{Count, moves};

/// A strategy against every possible opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// Its seat: `first` or `second`.
    #[serde(rename = "as")]
    pub seat: String,
    /// Whether it ever loses.
    pub verdict: &'static str,
    /// Games against every opponent.
    pub lines: Count,
    /// Those that it wins.
    pub wins: Count,
    /// Those that it draws.
    pub draws: Count,
    /// Those that it loses.
    pub losses: Count,
    /// Positions that were looked at.
    pub positions: Count,
    /// The longest game, in moves.
    pub longest: usize,
    /// A game that it loses.
    pub losing_line: Option<Vec<String>>,
    /// The command that replays that game.
    pub replay: Option<String>,
    /// The file that the proof was written to.
    pub certificate: Option<String>,
}

impl Proof {
    /// What was proved of a strategy.
    #[must_use]
    pub fn new(
        game: &AnyGame,
        strategy: &str,
        proof: &solve::Proof,
        certificate: Option<String>,
    ) -> Self {
        let lost = proof.losing_line.as_deref();
        let losing_line = lost.map(|line| moves(game, line));
        Self {
            game: game.name(),
            strategy: strategy.to_owned(),
            seat: proof.player.to_string(),
            verdict: proof.verdict().word(),
            lines: Count(proof.lines),
            wins: Count(proof.wins),
            draws: Count(proof.draws),
            losses: Count(proof.losses),
            positions: Count(proof.positions.into()),
            longest: proof.longest,
            replay: losing_line.as_deref().map(|line| replay(game, line)),
            losing_line,
            certificate,
        }
    }
}

/// The command that replays a game.
#[must_use]
pub fn replay(game: &AnyGame, moves: &[String]) -> String {
    format!("papan play {} --moves '{}'", game.name(), moves.join(" "))
}

/// Whether a certificate is believed.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum CertificateCheck {
    /// It proves what it says.
    NeverLoses {
        /// The certificate.
        file: String,
        /// The game's name.
        game: String,
        /// The strategy with its parameters, where it was replayed: the list alone
        /// does not tell whose moves it holds.
        strategy: Option<String>,
        /// Its seat.
        #[serde(rename = "as")]
        seat: String,
        /// Positions that it holds.
        positions: usize,
        /// Symmetries under which they are stored.
        symmetries: usize,
    },
    /// It does not.
    Refused {
        /// The certificate.
        file: String,
        /// Why, for logs.
        reason: String,
    },
}
