//! Output of `papan count`.

use papan_catalog::AnyGame;
use papan_solve as solve;
use serde::Serialize;

use super::Count;

/// Number of positions, games and final positions of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Census {
    /// The game's name.
    pub game: String,
    /// Positions, including the start and final ones.
    pub positions: UpToSymmetry<Count>,
    /// Sequences of moves from the start to an end.
    pub games: UpToSymmetry<Results>,
    /// Final positions.
    pub endings: UpToSymmetry<Results>,
    /// The longest game, in moves.
    pub longest: usize,
}

/// A count, and the same count up to symmetry.
#[derive(Clone, Debug, Serialize)]
pub struct UpToSymmetry<T> {
    /// The count.
    pub all: T,
    /// The count up to symmetry.
    pub up_to_symmetry: T,
}

/// A count for each result.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// All results.
    pub total: Count,
    /// The first player wins.
    pub first: Count,
    /// The second player wins.
    pub second: Count,
    /// Draws.
    pub draws: Count,
}

impl Results {
    fn new<T: Into<u128> + Copy>(results: &solve::ResultCounts<T>) -> Self {
        let [first, second, draws]: [u128; 3] =
            [results.first, results.second, results.draws].map(Into::into);
        Self {
            total: Count(first + second + draws),
            first: Count(first),
            second: Count(second),
            draws: Count(draws),
        }
    }
}

impl Census {
    /// Creates the output from the counts.
    #[must_use]
    pub fn new(game: &AnyGame, census: &solve::GameCounts) -> Self {
        Self {
            game: game.name(),
            positions: UpToSymmetry {
                all: Count(census.positions.into()),
                up_to_symmetry: Count(census.positions_up_to_symmetry.into()),
            },
            games: UpToSymmetry {
                all: Results::new(&census.games),
                up_to_symmetry: Results::new(&census.games_up_to_symmetry),
            },
            endings: UpToSymmetry {
                all: Results::new(&census.endings),
                up_to_symmetry: Results::new(&census.endings_up_to_symmetry),
            },
            longest: census.longest,
        }
    }
}
