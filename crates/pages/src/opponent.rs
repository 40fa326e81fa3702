//! Computer opponents by level.

use papan_catalog::{AnyGame, DEFAULT_LEVEL, LEVELS, StrategySpec};
use papan_strategies::Limits;

/// Parses a level; returns the default for anything else.
#[must_use]
pub fn level(text: &str) -> u64 {
    // Names of levels in links and cookies of papan 0.1.
    let named = [
        ("newcomer", 1),
        ("casual", 3),
        ("club", 6),
        ("strongest", 10),
    ];
    named
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, level)| *level)
        .or_else(|| text.parse().ok())
        .filter(|level| LEVELS.contains(level))
        .unwrap_or(DEFAULT_LEVEL)
}

/// Returns the opponent of a level.
#[must_use]
pub fn opponent(text: &str) -> StrategySpec {
    StrategySpec::computer(level(text))
}

/// Returns whether a strategy can play a game.
#[must_use]
pub fn can_play(game: &AnyGame, strategy: &StrategySpec) -> bool {
    game.can_seat(strategy, &Limits::default()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_old_names_are_levels_and_anything_else_is_the_default() {
        let texts = ["0", "10", "club", "11", "", "strong"];
        assert_eq!(
            texts.map(level),
            [0, 10, 6, DEFAULT_LEVEL, DEFAULT_LEVEL, DEFAULT_LEVEL]
        );
    }

    #[test]
    fn every_level_plays_every_board_of_the_home_page() {
        for name in papan_catalog::FAMILIES
            .iter()
            .flat_map(|family| family.examples)
        {
            let game: AnyGame = name.parse().unwrap();
            for level in LEVELS {
                let opponent = StrategySpec::computer(level);
                assert!(can_play(&game, &opponent), "{name}: {opponent}");
            }
        }
    }
}
