//! Check of a certificate of any game: that of a strategy or of the value of a position.

use std::sync::Arc;

use papan_solve::{
    CheckError, ClaimFile, StrategyClaim, check_watched, read_claim, read_claims, replay,
};
use papan_strategies::{Progress, StepKind, StepProgress, Watch};

use crate::{AnyGame, Family, GameVisitor, StrategySpec, strategy_factory};

/// A certificate that was checked.
#[derive(Debug)]
pub enum CheckedCertificate {
    /// A strategy never loses.
    Strategy(StrategyClaim),
    /// Values of a position of k in a row.
    Values(ClaimFile),
}

/// Why a certificate is refused.
#[derive(Debug, thiserror::Error)]
pub enum RefusedCertificate {
    /// It does not prove its claim.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// It claims the value of a position, and the game is not k in a row.
    #[error("only games of k in a row have certificates of values")]
    NotAGrid,
}

/// How a certificate is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct CertificateCheck<'a> {
    /// The only game that is accepted.
    pub game: Option<&'a AnyGame>,
    /// Whether the named strategy is also run and its moves compared.
    pub replay: bool,
}

impl CertificateCheck<'_> {
    /// Checks a certificate.
    ///
    /// # Errors
    /// If it does not prove its claim.
    pub fn run(self, bytes: &[u8]) -> Result<CheckedCertificate, RefusedCertificate> {
        self.run_watched(bytes, &Watch::default())
    }

    /// Checks a certificate, with progress, and until a stop is requested.
    ///
    /// # Errors
    /// If it does not prove its claim, or the check is stopped.
    pub fn run_watched(
        self,
        bytes: &[u8],
        watch: &Watch,
    ) -> Result<CheckedCertificate, RefusedCertificate> {
        match read_claims(bytes) {
            Err(CheckError::NotACertificate) => {
                let game = self.game_of(&read_claim(bytes)?.game)?;
                let check = StrategyCheck {
                    bytes,
                    replay: self.replay,
                    watch,
                };
                Ok(CheckedCertificate::Strategy(game.visit(check)?))
            }
            stated => {
                let game = match (self.game, stated) {
                    (Some(game), _) => game.clone(),
                    (None, stated) => self.game_of(&stated?.game)?,
                };
                let grid = game.as_grid().ok_or(RefusedCertificate::NotAGrid)?;
                let checked = grid.check_claims_with_progress(bytes, &mut |progress| {
                    watch.report(&Progress {
                        part: Some(StepProgress {
                            of: StepKind::Bytes,
                            done: progress.checked,
                            total: progress.total,
                        }),
                        ..Progress::default()
                    });
                    watch.check_stop()
                });
                Ok(CheckedCertificate::Values(checked?))
            }
        }
    }

    fn game_of(self, stated: &str) -> Result<AnyGame, CheckError> {
        match self.game {
            Some(game) => Ok(game.clone()),
            None => stated.parse().map_err(|_| CheckError::Line {
                line: 2,
                expected: "the name of a game",
            }),
        }
    }
}

struct StrategyCheck<'a> {
    bytes: &'a [u8],
    replay: bool,
    watch: &'a Watch,
}

impl GameVisitor for StrategyCheck<'_> {
    type Output = Result<StrategyClaim, CheckError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let claim = check_watched(&**game, self.bytes, self.watch)?;
        if self.replay {
            let other = |_| CheckError::OtherMoves(claim.strategy.clone());
            let spec: StrategySpec = claim.strategy.parse().map_err(|_| other(()))?;
            let factory = strategy_factory(game, &spec).map_err(|_| other(()))?;
            self.watch.check_stop()?;
            replay(&**game, self.bytes, &factory, self.watch)?;
        }
        Ok(claim)
    }
}
