//! What `papan prove` and `papan check` found.

use papan_catalog::AnyGame;
use papan_rules::Player;
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

/// A question about a strategy that got no answer.
#[derive(Clone, Debug, Serialize)]
pub struct NoProof {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// Its seat: `first`, `second`, or `both` at once.
    #[serde(rename = "as")]
    pub seat: String,
    /// Always `unknown`.
    pub verdict: &'static str,
    /// Why: `stopped`, `too-large`, `too-many-lines`, `draws-lots` or `no-answer`.
    pub reason: &'static str,
    /// The moves after which the strategy has no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

impl NoProof {
    /// Why there is no proof.
    #[must_use]
    pub fn new(
        game: &AnyGame,
        strategy: &str,
        player: Option<Player>,
        error: &solve::ProveError,
    ) -> Self {
        let (reason, line) = match error {
            solve::ProveError::Stopped => ("stopped", None),
            solve::ProveError::TooLarge { .. } => ("too-large", None),
            solve::ProveError::TooManyLines => ("too-many-lines", None),
            solve::ProveError::Random => ("draws-lots", None),
            solve::ProveError::NoAnswer { line, .. } => ("no-answer", Some(moves(game, line))),
        };
        Self {
            game: game.name(),
            strategy: strategy.to_owned(),
            seat: player.map_or("both".into(), |player| player.to_string()),
            verdict: "unknown",
            reason,
            line,
        }
    }
}

/// What came of one question of a proof.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ProofAttempt {
    /// An answer.
    Proof(Proof),
    /// None.
    NoProof(NoProof),
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
    /// It proves who wins or at least draws.
    Proved {
        /// The certificate.
        file: String,
        /// The game's name.
        game: String,
        /// The position that it is about.
        position: String,
        /// What it proves.
        claims: Vec<CertificateClaim>,
    },
    /// It does not.
    Refused {
        /// The certificate.
        file: String,
        /// Why, for logs.
        reason: String,
    },
}

/// What a certificate proves of a player.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateClaim {
    /// `first` or `second`.
    pub player: String,
    /// `wins`, or `draws`: at least that.
    pub result: &'static str,
}

impl CertificateClaim {
    /// What a checked file claims.
    #[must_use]
    pub fn all(file: &solve::ClaimFile) -> Vec<Self> {
        let claimed = |claim: &solve::PositionClaim| Self {
            player: claim.player.to_string(),
            result: match claim.kind {
                solve::ClaimKind::Wins => "wins",
                _ => "draws",
            },
        };
        file.claims.iter().map(claimed).collect()
    }
}
