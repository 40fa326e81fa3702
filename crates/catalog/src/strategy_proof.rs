//! Proof of a strategy by name, with its certificate.
//!
//! A strategy of the catalog is proved as it is. One from outside is interviewed first, and the table
//! of its answers is proved.

use std::sync::Arc;

use papan_rules::Player;
use papan_solve::{
    Certificate, CertificateError, InterviewJournal, Proof, ProveError, StrategyFactory, Verdict,
    interview, prove,
};
use papan_strategies::Watch;

use crate::{AnyGame, Family, GameVisitor, StrategySpec, Unplayable, strategy_factory};

/// A strategy to prove.
#[derive(Clone, Copy, Debug)]
pub struct ProofTask<'a> {
    /// The strategy.
    pub strategy: &'a StrategySpec,
    /// Its seat.
    pub player: Player,
    /// Whether a certificate is wanted.
    pub certify: bool,
    /// The answers of a strategy from outside so far; new ones are appended.
    pub journal: Option<&'a InterviewJournal>,
    /// Progress, memory limit and stop token.
    pub watch: &'a Watch,
}

/// A finished proof.
#[derive(Debug)]
pub struct StrategyProof {
    /// The counts and the shortest loss.
    pub proof: Proof,
    /// The certificate, if one was wanted and the strategy never loses.
    pub certificate: Option<Certificate>,
    /// The [fingerprint](papan_solve::AnswerTable::fingerprint) of a strategy from outside.
    pub fingerprint: Option<u64>,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum StrategyProofError {
    /// The strategy cannot play this game.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// The proof failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The strategy is proved, but the certificate cannot be written.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

impl ProofTask<'_> {
    /// Plays the strategy against every possible opponent.
    ///
    /// # Errors
    /// If the strategy cannot play the game, has no legal answer somewhere, is not a function of the
    /// position, or the proof is stopped or too large.
    pub fn run(self, game: &AnyGame) -> Result<StrategyProof, StrategyProofError> {
        game.visit(self)
    }

    fn prove<G: Family>(
        &self,
        game: &G,
        factory: StrategyFactory<'_, G>,
    ) -> Result<StrategyProof, StrategyProofError> {
        let proof = prove(game, factory, self.player, self.watch)?;
        let certificate = if self.certify && proof.verdict() == Verdict::NeverLoses {
            let name = self.strategy.identity();
            let certificate =
                Certificate::from_proved(game, factory, &name, self.player, self.watch)?;
            Some(certificate)
        } else {
            None
        };
        Ok(StrategyProof {
            proof,
            certificate,
            fingerprint: None,
        })
    }
}

impl GameVisitor for ProofTask<'_> {
    type Output = Result<StrategyProof, StrategyProofError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let factory = strategy_factory(game, self.strategy)?;
        if self.strategy.as_guest().is_none() {
            return self.prove(&**game, &factory);
        }
        let table = interview(&**game, &factory, self.player, self.journal, self.watch)?;
        let fingerprint = Some(table.fingerprint());
        let proved = self.prove(&**game, &move || Box::new(table.clone()))?;
        Ok(StrategyProof {
            fingerprint,
            ..proved
        })
    }
}
