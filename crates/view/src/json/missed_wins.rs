//! Output of `papan prove … --missed-wins`.

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_solve as solve;
use serde::Serialize;

use super::{Count, moves};

/// How often a strategy misses an immediate win.
#[derive(Clone, Debug, Serialize)]
pub struct MissedWins {
    /// The game's name.
    pub game: String,
    /// The strategy with its parameters.
    pub strategy: String,
    /// Its side: `first`, `second` or `both`.
    #[serde(rename = "as")]
    pub seat: String,
    /// Positions in which the player to move can win at once.
    pub winnable: Count,
    /// Those in which the strategy may play something else.
    pub missed: Count,
    /// Those in which it has no reply.
    pub unanswered: Count,
    /// The shortest line to a missed win.
    pub first: Option<Vec<String>>,
}

impl MissedWins {
    /// Creates the output for a strategy as one player or as both.
    #[must_use]
    pub fn new(
        game: &AnyGame,
        strategy: &str,
        player: Option<Player>,
        found: &solve::MissedWins,
    ) -> Self {
        Self {
            game: game.name(),
            strategy: strategy.to_owned(),
            seat: player.map_or("both".into(), |player| player.to_string()),
            winnable: Count(found.winnable.into()),
            missed: Count(found.missed.into()),
            unanswered: Count(found.unanswered.into()),
            first: found.first.as_deref().map(|line| moves(game, line)),
        }
    }
}
