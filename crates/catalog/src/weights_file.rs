//! Files of weights for the engines. Builds without the feature `embedded` load them at run time.

use papan_mnk::{GomokuWeights, GomokuWeightsError};
use papan_othello::Evaluation;
use papan_othello::eval::weights::WeightsError;
use papan_rules::{Bits, GameInfo as _, Grid};
use thiserror::Error;

use crate::families::AnyGame;
use crate::strategy_info::Unplayable;

/// A file of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsFile {
    /// Patterns and network of the Othello engine.
    Othello,
    /// Evaluation and move ordering for five in a row on flat boards.
    Gomoku,
}

/// Why a file of weights cannot be loaded.
#[derive(Debug, Error)]
pub enum WeightsFileError {
    /// A file that is not [`WeightsFile::Gomoku`].
    #[error(transparent)]
    Othello(#[from] WeightsError),
    /// A damaged file for five in a row.
    #[error(transparent)]
    Gomoku(#[from] GomokuWeightsError),
}

impl WeightsFile {
    /// Returns the weights that the engine of a game needs.
    #[must_use]
    pub fn of(game: &AnyGame) -> Option<Self> {
        match game {
            AnyGame::Othello(game) => (game.side() == 8).then_some(Self::Othello),
            AnyGame::Gomoku(_) => Some(Self::Gomoku),
            _ => {
                let length = game.as_grid()?.length();
                GomokuWeights::are_for(game.shape().sides(), length).then_some(Self::Gomoku)
            }
        }
    }

    /// Returns the name of the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Othello => "othello.weights",
            Self::Gomoku => "gomoku.weights",
        }
    }

    /// Returns whether the weights are loaded, or part of this build.
    #[must_use]
    pub fn is_loaded(self) -> bool {
        match self {
            Self::Othello => Evaluation::current().is_some(),
            Self::Gomoku => GomokuWeights::loaded().is_some(),
        }
    }

    /// Fails if the weights are not loaded: an engine with weights made by hand would play weakly
    /// and not say so.
    pub(crate) fn require(self) -> Result<(), Unplayable> {
        if self.is_loaded() {
            return Ok(());
        }
        Err(Unplayable::NoWeights { file: self.name() })
    }

    /// Makes the weights of a file those of every engine created from now on, and returns which they
    /// are.
    ///
    /// # Errors
    /// When the file holds no weights, is of a later version, or is damaged.
    pub fn install(file: &[u8]) -> Result<Self, WeightsFileError> {
        match GomokuWeights::read(file) {
            Ok(weights) => {
                weights.install();
                Ok(Self::Gomoku)
            }
            Err(GomokuWeightsError::FileType) => {
                Evaluation::install(file)?;
                Ok(Self::Othello)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Fails if the engine of a board needs weights that are not loaded.
pub(crate) fn require_weights<B: Bits>(grid: &Grid<B>) -> Result<(), Unplayable> {
    if GomokuWeights::are_for(grid.shape().sides(), grid.length()) {
        WeightsFile::Gomoku.require()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_name_the_weights_of_their_engines() {
        for (name, weights) in [
            ("othello", Some(WeightsFile::Othello)),
            ("othello:6x6", None),
            ("gomoku", Some(WeightsFile::Gomoku)),
            ("gomoku:renju", Some(WeightsFile::Gomoku)),
            ("tictactoe:9x9:5", Some(WeightsFile::Gomoku)),
            ("tictactoe:4x5", None),
            ("tictactoe:7x7:4", None),
            ("tictactoe:5x5x5", None),
        ] {
            let game = name.parse().unwrap();
            assert_eq!(WeightsFile::of(&game), weights, "{name}");
        }
    }

    #[test]
    fn a_file_without_weights_is_refused() {
        let refused = |file: &[u8]| WeightsFile::install(file).unwrap_err().to_string();
        assert!(refused(b"").contains("not a weights file"));
        assert!(refused(b"papan gomoku weights 2\n").contains("damaged"));
        assert!(refused(b"papan gomoku weights 9\n").contains("version 9"));
    }
}
