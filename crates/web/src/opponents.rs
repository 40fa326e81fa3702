//! Whom a visitor plays who chooses no strategy themselves: a few levels, each of
//! which can play on every board.

use papan_catalog::{AnyGame, StrategySpec, advisor};
use papan_strategies::Limits;

/// How strong an opponent is.
pub(crate) struct OpponentLevel {
    /// Its name in forms; the key of its text has `web-level-` before it.
    pub(crate) name: &'static str,
    /// Strategies to try, the first that can play is taken; the advisor after them.
    candidates: &'static [&'static str],
}

/// From the one that a child beats to the best there is.
pub(crate) const LEVELS: [OpponentLevel; 4] = [
    OpponentLevel {
        name: "newcomer",
        candidates: &["random"],
    },
    OpponentLevel {
        name: "casual",
        candidates: &["greedy", "mcts(playouts=60)"],
    },
    OpponentLevel {
        name: "club",
        candidates: &["mcts(playouts=2000)"],
    },
    OpponentLevel {
        name: "strongest",
        candidates: &[],
    },
];

/// The level of whoever has not chosen one.
pub(crate) const DEFAULT_LEVEL: &str = "casual";

/// The opponent of a level on a board; of the default level for a name that is none.
pub(crate) fn opponent(game: &AnyGame, level: &str) -> StrategySpec {
    let named = |name: &str| LEVELS.iter().find(|level| level.name == name);
    let level = named(level).or_else(|| named(DEFAULT_LEVEL));
    let candidates = level.map_or(&[][..], |level| level.candidates);
    candidates
        .iter()
        .filter_map(|text| text.parse().ok())
        .find(|spec| can_play(game, spec))
        .unwrap_or_else(|| advisor(game))
}

/// Whether a strategy can play on a board.
pub(crate) fn can_play(game: &AnyGame, strategy: &StrategySpec) -> bool {
    game.can_seat(strategy, &Limits::default()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_plays_on_every_board_of_the_first_page() {
        for name in papan_catalog::FAMILIES
            .iter()
            .flat_map(|family| family.examples)
        {
            let game: AnyGame = name.parse().unwrap();
            for level in &LEVELS {
                let opponent = opponent(&game, level.name);
                assert!(can_play(&game, &opponent), "{name}: {opponent}");
            }
        }
    }
}
