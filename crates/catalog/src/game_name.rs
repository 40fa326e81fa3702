//! Games by name: a family, then its size.

use papan_rules::grid::GridSize;
use papan_rules::{GridError, Othello, OthelloError};

use crate::nearest::{nearest, suggestion};

/// One family of games, as `papan list` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyEntry {
    /// What its games' names begin with.
    pub name: &'static str,
    /// How a size is written after the colon.
    pub sizes: &'static str,
    /// Sizes to suggest to whoever is asked for one, the usual one first.
    pub suggested: &'static [&'static str],
    /// Names to try.
    pub examples: &'static [&'static str],
}

/// Every family.
pub const FAMILIES: [FamilyEntry; 2] = [
    FamilyEntry {
        name: "tictactoe",
        sizes: "AxB, AxBxC or AxBxCxD, then :k for k in a row",
        suggested: &["3x3", "4x4", "3x3x3", "7x7:5"],
        examples: &[
            "tictactoe",
            "tictactoe:4x4",
            "tictactoe:7x7:5",
            "tictactoe:3x3x3",
            "tictactoe:15x15:5",
        ],
    },
    FamilyEntry {
        name: "othello",
        sizes: "4x4, 6x6 or 8x8",
        suggested: &["8x8", "6x6", "4x4"],
        examples: &["othello", "othello:6x6", "othello:4x4"],
    },
];

/// Why a text names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// No family has that name.
    #[error("there is no game `{word}`{}", suggestion(*nearest))]
    UnknownFamily {
        /// What was written.
        word: String,
        /// The family whose name is most like it.
        nearest: Option<&'static str>,
    },
    /// The grid cannot be so.
    #[error("in `{name}`, after the colon: {cause}")]
    Grid {
        /// What was written.
        name: String,
        /// What is wrong with it.
        cause: GridError,
    },
    /// Othello cannot be so.
    #[error("in `{name}`, after the colon: {cause}")]
    Othello {
        /// What was written.
        name: String,
        /// What is wrong with it.
        cause: OthelloError,
    },
}

/// A game's name, understood.
#[derive(Clone, Debug)]
pub(crate) enum GameName {
    Grid(GridSize),
    Othello(usize),
}

pub(crate) fn parse(text: &str) -> Result<GameName, GameError> {
    let name = text.trim();
    let (family, size) = match name.split_once(':') {
        Some((family, size)) => (family, Some(size)),
        None => (name, None),
    };
    match family.to_ascii_lowercase().as_str() {
        "tictactoe" => size
            .unwrap_or("3x3")
            .parse()
            .map(GameName::Grid)
            .map_err(|cause| GameError::Grid {
                name: name.into(),
                cause,
            }),
        "othello" => {
            let size = size.unwrap_or("8x8");
            let side = match size.to_ascii_lowercase().as_str() {
                "4x4" | "4" => 4,
                "6x6" | "6" => 6,
                "8x8" | "8" => 8,
                _ => {
                    return Err(GameError::Othello {
                        name: name.into(),
                        cause: OthelloError(size.into()),
                    });
                }
            };
            Ok(GameName::Othello(side))
        }
        other => Err(GameError::UnknownFamily {
            word: family.into(),
            nearest: nearest(other, FAMILIES.iter().map(|family| family.name)),
        }),
    }
}

pub(crate) fn othello(side: usize) -> Othello {
    Othello::new(side).expect("only sides of Othello are parsed")
}
