//! Output of `papan prove` and `papan check`.

use papan_catalog::{AnyGame, CheckedCertificate, RefusedCertificate};
use papan_rules::Player;
use papan_solve as solve;
use serde::Serialize;

use super::{Count, moves};

/// A proof: a strategy against every possible opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// Its side: `first` or `second`.
    #[serde(rename = "as")]
    pub seat: String,
    /// Whether it can lose.
    pub verdict: &'static str,
    /// Lines of play against all opponents.
    pub lines: Count,
    /// Lines that it wins.
    pub wins: Count,
    /// Lines that it draws.
    pub draws: Count,
    /// Lines that it loses.
    pub losses: Count,
    /// Positions visited.
    pub positions: Count,
    /// The longest game, in moves.
    pub longest: usize,
    /// The shortest lost game.
    pub losing_line: Option<Vec<String>>,
    /// The command that replays that game.
    pub replay: Option<String>,
    /// The certificate file.
    pub certificate: Option<String>,
}

impl Proof {
    /// Creates the output from a proof.
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

/// A failed attempt at a proof.
#[derive(Clone, Debug, Serialize)]
pub struct NoProof {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// Its side: `first`, `second`, or `both`.
    #[serde(rename = "as")]
    pub seat: String,
    /// Always `unknown`.
    pub verdict: &'static str,
    /// The reason: `stopped`, `too-large`, `too-many-lines`, `nondeterministic`, `not-a-function`,
    /// `no-answer` or `journal`.
    pub reason: &'static str,
    /// The moves after which the strategy has no reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

impl NoProof {
    /// Creates the output from the reason.
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
            solve::ProveError::Random => ("nondeterministic", None),
            solve::ProveError::NotAFunction { line, .. } => {
                ("not-a-function", Some(moves(game, line)))
            }
            solve::ProveError::NoAnswer { line, .. } => ("no-answer", Some(moves(game, line))),
            solve::ProveError::Journal(_) => ("journal", None),
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

/// The result of one attempt at a proof.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ProofAttempt {
    /// A proof.
    Proof(Proof),
    /// No proof.
    NoProof(NoProof),
}

/// Returns the command that replays a game.
#[must_use]
pub fn replay(game: &AnyGame, moves: &[String]) -> String {
    format!("papan play {} --moves '{}'", game.name(), moves.join(" "))
}

/// The check of a certificate.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum CertificateCheck {
    /// It proves that a strategy never loses.
    NeverLoses {
        /// The certificate.
        file: String,
        /// The game's name.
        game: String,
        /// The strategy with its parameters, if it was replayed: the list of moves alone does not show
        /// whose they are.
        strategy: Option<String>,
        /// Its side.
        #[serde(rename = "as")]
        seat: String,
        /// Number of positions.
        positions: usize,
        /// Number of symmetries under which they are stored.
        symmetries: usize,
    },
    /// It proves who wins or draws.
    Proved {
        /// The certificate.
        file: String,
        /// The game's name.
        game: String,
        /// The position.
        position: String,
        /// The claims.
        claims: Vec<CertificateClaim>,
    },
    /// It is rejected.
    Refused {
        /// The certificate.
        file: String,
        /// The reason, in English for logs.
        reason: String,
    },
}

impl CertificateCheck {
    /// Creates the output of a check. The strategy is named if it was replayed.
    #[must_use]
    pub fn new(
        file: String,
        checked: Result<&CheckedCertificate, &RefusedCertificate>,
        replayed: bool,
    ) -> Self {
        match checked {
            Ok(CheckedCertificate::Strategy(claim)) => Self::NeverLoses {
                file,
                game: claim.game.clone(),
                strategy: replayed.then(|| claim.strategy.clone()),
                seat: claim.player.to_string(),
                positions: claim.positions,
                symmetries: claim.symmetries.len(),
            },
            Ok(CheckedCertificate::Values(proved)) => Self::Proved {
                file,
                claims: CertificateClaim::all(proved),
                game: proved.game.clone(),
                position: proved.position.clone(),
            },
            Err(error) => Self::Refused {
                file,
                reason: error.to_string(),
            },
        }
    }
}

/// A claim of a certificate.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateClaim {
    /// `first` or `second`.
    pub player: String,
    /// `wins`, or `draws` (draws or better).
    pub result: &'static str,
}

impl CertificateClaim {
    /// Returns the claims of a file.
    #[must_use]
    pub fn all(file: &solve::ClaimFile) -> Vec<Self> {
        let claimed = |claim: &solve::PositionClaim| Self {
            player: claim.player.to_string(),
            result: if claim.kind.is_win() { "wins" } else { "draws" },
        };
        file.claims.iter().map(claimed).collect()
    }
}
